-- +goose Up

-- How an agent works: role, what a coordinator may do itself (glance, hands: names of tools with a space between them), its
-- workers (JSON; '' is the usual ones, of a binding that is older than workers), and over how many characters output is spilled.
ALTER TABLE bindings ADD COLUMN role TEXT NOT NULL DEFAULT '' CHECK (role IN ('', 'coordinator'));
ALTER TABLE bindings ADD COLUMN glance INTEGER NOT NULL DEFAULT 1 CHECK (glance IN (0, 1));
ALTER TABLE bindings ADD COLUMN hands TEXT NOT NULL DEFAULT '';
ALTER TABLE bindings ADD COLUMN workers TEXT NOT NULL DEFAULT '';
ALTER TABLE bindings ADD COLUMN spill_over INTEGER NOT NULL DEFAULT 4000;

-- What git is told of the workbench when it is made; '' is to ignore all of it.
ALTER TABLE channels ADD COLUMN ignored TEXT NOT NULL DEFAULT '' CHECK (ignored IN ('', 'output', 'nothing'));

-- What a native session has been told of the workbench's index, and what a running run would make of it. One line a binding:
-- a mark of another native session is worth nothing.
CREATE TABLE index_marks (
    binding_id TEXT NOT NULL PRIMARY KEY REFERENCES bindings (id) ON DELETE CASCADE,
    native     TEXT NOT NULL,
    mark       TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE staged_index (
    run_id TEXT NOT NULL PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    native TEXT NOT NULL,
    mark   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What was kept out of an agent's context in a run, and what was denied to it. step_id is the tool_use id.
CREATE TABLE run_savings (
    run_id   TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    n        INTEGER NOT NULL,
    kind     TEXT NOT NULL,
    step_id  TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    tool     TEXT NOT NULL,
    detail   TEXT NOT NULL,
    path     TEXT NOT NULL,
    chars    INTEGER NOT NULL,
    lines    INTEGER NOT NULL,
    tokens   INTEGER NOT NULL,
    fault    TEXT NOT NULL,
    at       INTEGER NOT NULL,
    PRIMARY KEY (run_id, n)
) STRICT, WITHOUT ROWID;

-- How often each script of a workbench (its absolute path) was written and run by agents.
CREATE TABLE script_uses (
    bench   TEXT NOT NULL,
    path    TEXT NOT NULL,
    written INTEGER NOT NULL,
    run     INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    PRIMARY KEY (bench, path)
) STRICT, WITHOUT ROWID;

-- The ids of a watermark: a list with a space between them, which is read and written twice a turn. It was JSON.
UPDATE watermarks SET ids = replace(replace(replace(ids, '["', ''), '"]', ''), '","', ' ');
UPDATE watermarks SET ids = '' WHERE ids = '[]';
UPDATE staged SET ids = replace(replace(replace(ids, '["', ''), '"]', ''), '","', ' ');
UPDATE staged SET ids = '' WHERE ids = '[]';
