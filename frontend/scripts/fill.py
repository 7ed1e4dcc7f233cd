#!/usr/bin/env python3
"""Fills a channel of a data folder with many rows, to see how the page does with a long history.

    hearth serve                                  # once, so that there is a data folder and a channel; then end it
    python3 scripts/fill.py <data folder>         # 100,000 rows in a few seconds
    python3 scripts/fill.py <data folder> --rows 3 --channel general --unread 40

It writes straight into the database, in one transaction, because going through the API would sync each row to disk. So it
refuses a folder that a Hearth is running on. Every tenth row is an agent's reply, with the run it came of. They all stand before
what is there already; `--unread` leaves so many of them unread.
"""

import argparse
import fcntl
import os
import random
import sqlite3
import sys
import time

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

BODIES = [
    "The cache key needs the commit in it, or two branches share an entry.",
    "재시도 도우미가 두 번째 시도에서 시간을 다시 재지 않는 것 같아요. 로그를 붙여 둘게요.",
    "कैश की कुंजी में शाखा का नाम भी होना चाहिए, नहीं तो दो शाखाएँ एक ही प्रविष्टि बाँटती हैं।",
    "يجب أن يتضمن مفتاح الذاكرة المؤقتة اسم الفرع، وإلا تشارك فرعان إدخالاً واحدًا.",
    "👍🏽 works on my machine 👨‍👩‍👧‍👦 🎉",
    "Two things:\n\n- the helper retries **without** a pause\n- `Retry-After` is read as seconds, always\n\nI would begin with the second.",
    "```go\nfor attempt := range 3 {\n\tif err := do(ctx); err == nil {\n\t\treturn nil\n\t}\n}\n```",
    "| step | before | after |\n|---|---:|---:|\n| read | 41 ms | 12 ms |\n| write | 9 ms | 9 ms |",
    "See https://example.com/a/rather/long/path?with=a&query=string and the note in `docs/decisions/0002-layers.md`.",
    "ok",
]

REPLY = """The retry helper counts from the first attempt, so a slow first answer eats the whole budget.

1. Read `retry.go`: the deadline is made once, outside the loop.
2. The test passes because its clock never moves.

```diff
-	deadline := time.Now().Add(budget)
 	for attempt := range attempts {
+		deadline := time.Now().Add(budget)
```

I would move the deadline in, and let the test's clock move."""


def identifier(micros: int, n: int) -> str:
    """An id that sorts by time, as Hearth's do: ten characters of milliseconds, sixteen of a count."""
    value, out = (micros // 1000 << 80) | n, []
    for _ in range(26):
        out.append(CROCKFORD[value & 31])
        value >>= 5
    return "".join(reversed(out))


def main() -> None:
    parser = argparse.ArgumentParser(description="Fill a channel with rows.")
    parser.add_argument("folder", help="the data folder")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--channel", default="general")
    parser.add_argument("--unread", type=int, default=0)
    parser.add_argument("--apart", type=float, default=40.0, help="seconds between rows")
    args = parser.parse_args()

    path = os.path.join(args.folder, "hearth.db")
    if not os.path.exists(path):
        sys.exit(f"There is no {path}: start Hearth once on this folder, and end it.")
    with open(os.path.join(args.folder, "lock"), "a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            sys.exit("A Hearth is running on this folder: end it first.")
        fill(sqlite3.connect(path), args)


def fill(db: sqlite3.Connection, args: argparse.Namespace) -> None:
    found = db.execute("SELECT id FROM channels WHERE name = ? AND archived_at = 0", [args.channel]).fetchone()
    if not found:
        sys.exit(f"There is no channel {args.channel}.")
    (channel,) = found
    agent = db.execute("SELECT id, handle FROM bindings WHERE channel_id = ? AND deleted_at = 0 ORDER BY created_at", [channel]).fetchone()
    dice = random.Random(1)
    step = int(args.apart * 1_000_000)
    # Ends before what is there already: Hearth's own times only go up.
    first = db.execute("SELECT min(created_at) FROM rows WHERE channel_id = ?", [channel]).fetchone()[0]
    begin = min(first or sys.maxsize, int(time.time() * 1_000_000) - 60_000_000) - args.rows * step

    rows, runs, ids = [], [], []
    asked = ""
    for i in range(args.rows):
        at = begin + i * step
        row = identifier(at, i)
        ids.append((row, at))
        if agent and i % 10 == 9 and asked:
            run = identifier(at - 1000, args.rows + i)
            rows.append((row, channel, "", "agent", agent[1], agent[0], run, "", f"{REPLY}\n\nThis is row {i}.", at))
            runs.append((run, channel, agent[0], asked, "", "mention", "", 0, "succeeded", "warm", row, 1,
                         dice.randrange(900), dice.randrange(80_000), dice.randrange(2_000), dice.randrange(1_500), dice.random() / 10,
                         at - 900, at - 800, at))
            continue
        handle = ("", "aiko", "", "min", "", "زينب")[i % 6]
        rows.append((row, channel, "", "user", handle, "", "", "", f"{BODIES[dice.randrange(len(BODIES))]}\n\nThis is row {i}.", at))
        if handle == "":
            asked = row

    with db:
        db.executemany("INSERT INTO rows (id, channel_id, thread_root_id, kind, handle, binding_id, run_id, note, body, created_at) "
                       "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        db.executemany("INSERT INTO runs (id, channel_id, binding_id, row_id, thread_root_id, cause, retry_of, hops, state, temperature, reply_id, "
                       "proven, input, cache_read, cache_write_5m, output, cost_usd, queued_at, started_at, ended_at) "
                       "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", runs)
        if args.unread:
            read = ids[max(0, len(ids) - 1 - args.unread)]
            db.execute("UPDATE channels SET read_id = ?, read_at = ? WHERE id = ?", [*read, channel])
    print(f"{len(rows)} rows and {len(runs)} runs are in #{args.channel} now.")


main()
