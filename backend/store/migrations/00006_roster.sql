-- +goose Up

-- How the processes of a binding ended, of each the newest only (see store.maxEnds). A session has one line for each process that
-- held it: sessions.end_reason says it of the last one alone.
CREATE TABLE process_ends (
    binding_id TEXT NOT NULL REFERENCES bindings (id) ON DELETE CASCADE,
    ended_at   INTEGER NOT NULL,
    native     TEXT NOT NULL,
    how        TEXT NOT NULL,
    reason     TEXT NOT NULL,
    PRIMARY KEY (binding_id, ended_at, native)
) STRICT, WITHOUT ROWID;

-- How often a binding called each tool, on its main thread and in subagents, in runs that have ended. It is counted as a run
-- ends: the steps of a long history would have to be read from end to end otherwise.
CREATE TABLE tool_calls (
    binding_id TEXT NOT NULL REFERENCES bindings (id) ON DELETE CASCADE,
    tool       TEXT NOT NULL,
    subagent   INTEGER NOT NULL CHECK (subagent IN (0, 1)),
    calls      INTEGER NOT NULL,
    failed     INTEGER NOT NULL,
    last_at    INTEGER NOT NULL,
    PRIMARY KEY (binding_id, tool, subagent)
) STRICT, WITHOUT ROWID;

INSERT INTO tool_calls
SELECT r.binding_id, substr(s.name, 1, 200), s.parent <> '', count(*), sum(s.error), max(s.at)
FROM runs AS r JOIN run_steps AS s ON s.run_id = r.id
WHERE r.ended_at <> 0 AND s.kind = 'tool' AND s.name <> ''
GROUP BY r.binding_id, substr(s.name, 1, 200), s.parent <> '';

-- What was kept of an end that was in order said no more than "ended".
INSERT INTO process_ends
SELECT binding_id, ended_at, native,
    CASE end_reason WHEN 'started afresh' THEN 'fresh' WHEN 'Hearth ended' THEN 'lost' WHEN 'ended' THEN 'ended' WHEN 'binding removed' THEN 'ended' ELSE 'crashed' END,
    CASE end_reason WHEN 'ended' THEN '' ELSE end_reason END
FROM sessions WHERE ended_at <> 0;
