-- +goose Up

-- What a turn is told beside its sums: thinking (part of the output), ttft (from the first request to the beginning of its
-- answer, microseconds), how many tokens the conversation holds after it and could hold. 0: not known.
ALTER TABLE runs ADD COLUMN thinking INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN ttft INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN context_size INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN context_window INTEGER NOT NULL DEFAULT 0;

-- When the answer to a call began and ended, and the API's own word on a cache that it could not fully use.
ALTER TABLE run_calls ADD COLUMN thinking INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run_calls ADD COLUMN ttft INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run_calls ADD COLUMN began_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run_calls ADD COLUMN ended_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run_calls ADD COLUMN miss_reason TEXT NOT NULL DEFAULT '';
ALTER TABLE run_calls ADD COLUMN miss_tokens INTEGER NOT NULL DEFAULT 0;

-- What a channel may cost a day, in dollars; 0 is no limit.
ALTER TABLE channels ADD COLUMN spend_limit_usd REAL NOT NULL DEFAULT 0;

-- The ledger: one line for each run that began and ended, never changed. It lies in the order in which a channel's days are
-- added up, and has its sums by itself, so that no call has to be read for them. money is billionths of a dollar.
-- process names the process; hashes are of what stands at the beginning of each request and is ours ('' is not known);
-- compactions is a list, with a space between, of how many calls came before each.
CREATE TABLE turns (
    channel_id              TEXT NOT NULL,
    ended_at                INTEGER NOT NULL,
    run_id                  TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    binding_id              TEXT NOT NULL,
    process                 TEXT NOT NULL,
    client_version          TEXT NOT NULL,
    tools_hash              TEXT NOT NULL,
    tools_size              INTEGER NOT NULL,
    framing_hash            TEXT NOT NULL,
    framing_size            INTEGER NOT NULL,
    compactions             TEXT NOT NULL,
    main_calls              INTEGER NOT NULL,
    main_input              INTEGER NOT NULL,
    main_cache_read         INTEGER NOT NULL,
    main_cache_write_5m     INTEGER NOT NULL,
    main_cache_write_1h     INTEGER NOT NULL,
    main_output             INTEGER NOT NULL,
    main_thinking           INTEGER NOT NULL,
    subagent_calls          INTEGER NOT NULL,
    subagent_input          INTEGER NOT NULL,
    subagent_cache_read     INTEGER NOT NULL,
    subagent_cache_write_5m INTEGER NOT NULL,
    subagent_cache_write_1h INTEGER NOT NULL,
    subagent_output         INTEGER NOT NULL,
    subagent_thinking       INTEGER NOT NULL,
    beside_input            INTEGER NOT NULL,
    beside_cache_read       INTEGER NOT NULL,
    beside_cache_write_5m   INTEGER NOT NULL,
    beside_cache_write_1h   INTEGER NOT NULL,
    beside_output           INTEGER NOT NULL,
    beside_thinking         INTEGER NOT NULL,
    money                   INTEGER NOT NULL,
    PRIMARY KEY (channel_id, ended_at, run_id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX turns_run ON turns (run_id);
CREATE INDEX turns_binding ON turns (binding_id, ended_at);

-- What each model used in a run. counted: the client's own line, with its figure in dollars; otherwise what the calls show
-- beyond that.
CREATE TABLE run_models (
    run_id         TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    n              INTEGER NOT NULL,
    model          TEXT NOT NULL,
    counted        INTEGER NOT NULL CHECK (counted IN (0, 1)),
    input          INTEGER NOT NULL,
    cache_read     INTEGER NOT NULL,
    cache_write_5m INTEGER NOT NULL,
    cache_write_1h INTEGER NOT NULL,
    output         INTEGER NOT NULL,
    thinking       INTEGER NOT NULL,
    cost_usd       REAL NOT NULL,
    money          INTEGER NOT NULL,
    PRIMARY KEY (run_id, n)
) STRICT, WITHOUT ROWID;

-- Runs from before the ledger have their sums; of the processes they ran in nothing is known.
INSERT INTO turns
SELECT runs.channel_id, runs.ended_at, runs.id, runs.binding_id, '', '', '', 0, '', 0, '',
    coalesce(sum(c.main), 0), coalesce(sum(c.main * c.input), 0), coalesce(sum(c.main * c.cache_read), 0),
    coalesce(sum(c.main * c.cache_write_5m), 0), coalesce(sum(c.main * c.cache_write_1h), 0), coalesce(sum(c.main * c.output), 0), 0,
    coalesce(sum(1 - c.main), 0), coalesce(sum((1 - c.main) * c.input), 0), coalesce(sum((1 - c.main) * c.cache_read), 0),
    coalesce(sum((1 - c.main) * c.cache_write_5m), 0), coalesce(sum((1 - c.main) * c.cache_write_1h), 0), coalesce(sum((1 - c.main) * c.output), 0), 0,
    max(0, runs.input - coalesce(sum(c.input), 0)), max(0, runs.cache_read - coalesce(sum(c.cache_read), 0)),
    max(0, runs.cache_write_5m - coalesce(sum(c.cache_write_5m), 0)), max(0, runs.cache_write_1h - coalesce(sum(c.cache_write_1h), 0)),
    max(0, runs.output - coalesce(sum(c.output), 0)), 0,
    CAST(round(runs.cost_usd * 1000000000) AS INTEGER)
FROM runs LEFT JOIN run_calls AS c ON c.run_id = runs.id
WHERE runs.ended_at <> 0 AND runs.started_at <> 0
GROUP BY runs.id;

-- What a conversation holds after a turn is known of old runs, too, as long as it was not replaced by a summary.
UPDATE runs SET context_size = coalesce((
    SELECT c.input + c.cache_read + c.cache_write_5m + c.cache_write_1h + c.output FROM run_calls AS c
    WHERE c.run_id = runs.id AND c.main = 1 ORDER BY c.n DESC LIMIT 1
), 0)
WHERE ended_at <> 0 AND NOT EXISTS (SELECT 1 FROM run_steps AS s WHERE s.run_id = runs.id AND s.kind = 'status' AND s.name = 'compacted');

-- By model they have what their calls show; their money is the first one's.
INSERT INTO run_models
SELECT run_id, n, model, 0, input, cache_read, cache_write_5m, cache_write_1h, output, 0, 0, iif(n = 0, CAST(round(cost_usd * 1000000000) AS INTEGER), 0)
FROM (
    SELECT c.run_id, row_number() OVER (PARTITION BY c.run_id ORDER BY min(c.n)) - 1 AS n, c.model, sum(c.input) AS input,
        sum(c.cache_read) AS cache_read, sum(c.cache_write_5m) AS cache_write_5m, sum(c.cache_write_1h) AS cache_write_1h,
        sum(c.output) AS output, runs.cost_usd
    FROM run_calls AS c JOIN runs ON runs.id = c.run_id
    WHERE runs.ended_at <> 0 AND runs.started_at <> 0
    GROUP BY c.run_id, c.model
);
