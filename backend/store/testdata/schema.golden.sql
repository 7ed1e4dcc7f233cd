CREATE TABLE bindings (
    id               TEXT NOT NULL PRIMARY KEY,
    channel_id       TEXT NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
    handle           TEXT NOT NULL,
    handle_fold      TEXT NOT NULL,
    runtime          TEXT NOT NULL,
    model            TEXT NOT NULL,
    permission_mode  TEXT NOT NULL,
    supervised       INTEGER NOT NULL CHECK (supervised IN (0, 1)),
    resident         INTEGER NOT NULL CHECK (resident IN (0, 1)),
    base_url         TEXT NOT NULL,
    token            TEXT NOT NULL,
    brief_every_turn INTEGER NOT NULL CHECK (brief_every_turn IN (0, 1)),
    created_at       INTEGER NOT NULL,
    fresh_at         INTEGER NOT NULL DEFAULT 0,
    deleted_at       INTEGER NOT NULL DEFAULT 0
, role TEXT NOT NULL DEFAULT '' CHECK (role IN ('', 'coordinator')), glance INTEGER NOT NULL DEFAULT 1 CHECK (glance IN (0, 1)), hands TEXT NOT NULL DEFAULT '', workers TEXT NOT NULL DEFAULT '', spill_over INTEGER NOT NULL DEFAULT 4000, fresh_before INTEGER NOT NULL DEFAULT -1) STRICT;
CREATE INDEX bindings_channel ON bindings (channel_id, created_at);
CREATE UNIQUE INDEX bindings_handle ON bindings (channel_id, handle_fold) WHERE deleted_at = 0;
CREATE TABLE change_texts (
    hash TEXT NOT NULL PRIMARY KEY,
    text BLOB NOT NULL,
    at   INTEGER NOT NULL
) STRICT;
CREATE INDEX change_texts_at ON change_texts (at);
CREATE TABLE channels (
    id          TEXT NOT NULL PRIMARY KEY,
    name        TEXT NOT NULL,
    name_fold   TEXT NOT NULL,
    topic       TEXT NOT NULL,
    workspace   TEXT NOT NULL,
    direct      INTEGER NOT NULL CHECK (direct IN (0, 1)),
    created_at  INTEGER NOT NULL,
    archived_at INTEGER NOT NULL DEFAULT 0,
    last_at     INTEGER NOT NULL,
    last_id     TEXT NOT NULL
, read_id TEXT NOT NULL DEFAULT '', read_at INTEGER NOT NULL DEFAULT 0, revised_at INTEGER NOT NULL DEFAULT 0, ignored TEXT NOT NULL DEFAULT '' CHECK (ignored IN ('', 'output', 'nothing')), spend_limit_usd REAL NOT NULL DEFAULT 0) STRICT;
CREATE UNIQUE INDEX channels_name ON channels (name_fold) WHERE archived_at = 0;
CREATE TABLE client_commands (
    binding_id TEXT NOT NULL PRIMARY KEY REFERENCES bindings (id) ON DELETE CASCADE,
    runtime    TEXT NOT NULL,
    at         INTEGER NOT NULL,
    commands   TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE corrections (
    row_id         TEXT NOT NULL PRIMARY KEY REFERENCES rows (id) ON DELETE CASCADE,
    id             TEXT NOT NULL,
    channel_id     TEXT NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
    thread_root_id TEXT NOT NULL,
    at             INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX corrections_channel ON corrections (channel_id, at);
CREATE TABLE index_marks (
    binding_id TEXT NOT NULL PRIMARY KEY REFERENCES bindings (id) ON DELETE CASCADE,
    native     TEXT NOT NULL,
    mark       TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE members (
    channel_id  TEXT NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
    handle_fold TEXT NOT NULL,
    handle      TEXT NOT NULL,
    joined_at   INTEGER NOT NULL,
    PRIMARY KEY (channel_id, handle_fold)
) STRICT, WITHOUT ROWID;
CREATE TABLE meta (
    key   TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE permissions (
    id           TEXT NOT NULL PRIMARY KEY,
    run_id       TEXT NOT NULL,
    channel_id   TEXT NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
    binding_id   TEXT NOT NULL REFERENCES bindings (id) ON DELETE CASCADE,
    tool         TEXT NOT NULL,
    input        TEXT NOT NULL,
    agent_id     TEXT NOT NULL,
    reason       TEXT NOT NULL,
    blocked_path TEXT NOT NULL,
    workspace    TEXT NOT NULL,
    rules        TEXT NOT NULL,
    state        TEXT NOT NULL CHECK (state IN ('open', 'allowed', 'always', 'denied')),
    rule         TEXT NOT NULL DEFAULT '',
    message      TEXT NOT NULL DEFAULT '',
    asked_at     INTEGER NOT NULL,
    answered_at  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX permissions_asked ON permissions (asked_at, id);
CREATE INDEX permissions_binding ON permissions (binding_id);
CREATE INDEX permissions_channel ON permissions (channel_id, asked_at, id);
CREATE INDEX permissions_open ON permissions (asked_at, id) WHERE state = 'open';
CREATE TABLE process_ends (
    binding_id TEXT NOT NULL REFERENCES bindings (id) ON DELETE CASCADE,
    ended_at   INTEGER NOT NULL,
    native     TEXT NOT NULL,
    how        TEXT NOT NULL,
    reason     TEXT NOT NULL,
    PRIMARY KEY (binding_id, ended_at, native)
) STRICT, WITHOUT ROWID;
CREATE TABLE processes (
    mark       TEXT NOT NULL PRIMARY KEY,
    pid        INTEGER NOT NULL,
    started    TEXT NOT NULL,
    native     TEXT NOT NULL,
    binding_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE row_versions (
    row_id TEXT NOT NULL REFERENCES rows (id) ON DELETE CASCADE,
    at     INTEGER NOT NULL,
    body   TEXT NOT NULL,
    PRIMARY KEY (row_id, at)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER rows_found AFTER INSERT ON rows BEGIN
    INSERT INTO search (rowid, body) VALUES (new.rowid, search_text(CAST(new.body AS BLOB)));
END;
CREATE TRIGGER rows_found_anew AFTER UPDATE OF body ON rows BEGIN
    UPDATE search SET body = search_text(CAST(new.body AS BLOB)) WHERE rowid = new.rowid;
END;
CREATE TRIGGER rows_lost AFTER DELETE ON rows BEGIN
    DELETE FROM search WHERE rowid = old.rowid;
END;
CREATE TABLE rows (
    id             TEXT NOT NULL PRIMARY KEY,
    channel_id     TEXT NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
    thread_root_id TEXT NOT NULL,
    kind           TEXT NOT NULL CHECK (kind IN ('user', 'agent')),
    handle         TEXT NOT NULL,
    binding_id     TEXT NOT NULL,
    run_id         TEXT NOT NULL,
    note           TEXT NOT NULL,
    body           TEXT NOT NULL,
    created_at     INTEGER NOT NULL
, edited_at INTEGER NOT NULL DEFAULT 0, deleted_at INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE INDEX rows_channel ON rows (channel_id, created_at);
CREATE INDEX rows_deleted ON rows (channel_id, thread_root_id, created_at, handle, binding_id) WHERE deleted_at <> 0;
CREATE INDEX rows_others ON rows (channel_id, created_at, kind, handle) WHERE kind <> 'user' OR handle <> '';
CREATE INDEX rows_place ON rows (channel_id, thread_root_id, created_at, handle, binding_id);
CREATE TABLE rules (
    id         TEXT NOT NULL UNIQUE,
    binding_id TEXT NOT NULL REFERENCES bindings (id) ON DELETE CASCADE,
    text       TEXT NOT NULL,
    tool       TEXT NOT NULL,
    input      TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (binding_id, text, tool, input)
) STRICT, WITHOUT ROWID;
CREATE TABLE run_calls (
    run_id         TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    n              INTEGER NOT NULL,
    message_id     TEXT NOT NULL,
    model          TEXT NOT NULL,
    main           INTEGER NOT NULL CHECK (main IN (0, 1)),
    input          INTEGER NOT NULL,
    cache_read     INTEGER NOT NULL,
    cache_write_5m INTEGER NOT NULL,
    cache_write_1h INTEGER NOT NULL,
    output         INTEGER NOT NULL, thinking INTEGER NOT NULL DEFAULT 0, ttft INTEGER NOT NULL DEFAULT 0, began_at INTEGER NOT NULL DEFAULT 0, ended_at INTEGER NOT NULL DEFAULT 0, miss_reason TEXT NOT NULL DEFAULT '', miss_tokens INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (run_id, n)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER change_texts_lost AFTER DELETE ON run_changes BEGIN
    DELETE FROM change_texts
    WHERE hash IN (old.before_hash, old.after_hash, old.over_hash)
        AND NOT EXISTS (SELECT 1 FROM run_changes WHERE before_hash = hash)
        AND NOT EXISTS (SELECT 1 FROM run_changes WHERE after_hash = hash)
        AND NOT EXISTS (SELECT 1 FROM run_changes WHERE over_hash = hash AND over_hash <> '');
END;
CREATE TABLE run_changes (
    run_id      TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    n           INTEGER NOT NULL,
    path        TEXT NOT NULL,
    before_hash TEXT NOT NULL,
    before_size INTEGER NOT NULL,
    after_hash  TEXT NOT NULL,
    after_size  INTEGER NOT NULL,
    mode        INTEGER NOT NULL,
    form        TEXT NOT NULL,
    added       INTEGER NOT NULL,
    removed     INTEGER NOT NULL,
    mixed       INTEGER NOT NULL CHECK (mixed IN (0, 1)),
    at          INTEGER NOT NULL,
    over_hash   TEXT NOT NULL DEFAULT '',
    over_size   INTEGER NOT NULL DEFAULT 0,
    undone_at   INTEGER NOT NULL DEFAULT 0,
    going       INTEGER NOT NULL DEFAULT 0 CHECK (going IN (0, 1, 2)),
    PRIMARY KEY (run_id, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_changes_after ON run_changes (after_hash);
CREATE INDEX run_changes_before ON run_changes (before_hash);
CREATE INDEX run_changes_going ON run_changes (run_id) WHERE going <> 0;
CREATE INDEX run_changes_over ON run_changes (over_hash) WHERE over_hash <> '';
CREATE UNIQUE INDEX run_changes_path ON run_changes (path, run_id);
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
CREATE TABLE run_sent (
    run_id TEXT NOT NULL PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    sent   TEXT NOT NULL
) STRICT;
CREATE TABLE run_steps (
    run_id  TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    n       INTEGER NOT NULL,
    kind    TEXT NOT NULL,
    step_id TEXT NOT NULL,
    parent  TEXT NOT NULL,
    name    TEXT NOT NULL,
    input   TEXT NOT NULL,
    output  TEXT NOT NULL,
    error   INTEGER NOT NULL CHECK (error IN (0, 1)),
    at      INTEGER NOT NULL,
    took    INTEGER NOT NULL,
    PRIMARY KEY (run_id, n)
) STRICT;
CREATE TABLE runs (
    id              TEXT NOT NULL PRIMARY KEY,
    channel_id      TEXT NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
    binding_id      TEXT NOT NULL REFERENCES bindings (id) ON DELETE CASCADE,
    row_id          TEXT NOT NULL,
    thread_root_id  TEXT NOT NULL,
    cause           TEXT NOT NULL,
    retry_of        TEXT NOT NULL,
    hops            INTEGER NOT NULL,
    state           TEXT NOT NULL CHECK (state IN ('queued', 'waiting', 'running', 'succeeded', 'declined', 'failed', 'stopped')),
    temperature     TEXT NOT NULL DEFAULT '',
    native          TEXT NOT NULL DEFAULT '',
    message_uuid    TEXT NOT NULL DEFAULT '',
    reply_id        TEXT NOT NULL DEFAULT '',
    failure_code    TEXT NOT NULL DEFAULT '',
    failure_message TEXT NOT NULL DEFAULT '',
    failure_held    INTEGER NOT NULL DEFAULT 0 CHECK (failure_held IN (0, 1)),
    proven          INTEGER NOT NULL DEFAULT 0 CHECK (proven IN (0, 1)),
    input           INTEGER NOT NULL DEFAULT 0,
    cache_read      INTEGER NOT NULL DEFAULT 0,
    cache_write_5m  INTEGER NOT NULL DEFAULT 0,
    cache_write_1h  INTEGER NOT NULL DEFAULT 0,
    output          INTEGER NOT NULL DEFAULT 0,
    cost_usd        REAL NOT NULL DEFAULT 0,
    queued_at       INTEGER NOT NULL,
    started_at      INTEGER NOT NULL DEFAULT 0,
    ended_at        INTEGER NOT NULL DEFAULT 0
, thinking INTEGER NOT NULL DEFAULT 0, ttft INTEGER NOT NULL DEFAULT 0, context_size INTEGER NOT NULL DEFAULT 0, context_window INTEGER NOT NULL DEFAULT 0, changed_files INTEGER NOT NULL DEFAULT 0, changed_added INTEGER NOT NULL DEFAULT 0, changed_removed INTEGER NOT NULL DEFAULT 0, changed_undone INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE INDEX runs_binding ON runs (binding_id, ended_at);
CREATE INDEX runs_channel ON runs (channel_id, queued_at, id);
CREATE INDEX runs_native ON runs (native, started_at) WHERE native <> '';
CREATE INDEX runs_queue ON runs (binding_id, queued_at, id, channel_id, row_id) WHERE state IN ('queued', 'waiting');
CREATE UNIQUE INDEX runs_retry ON runs (retry_of) WHERE retry_of <> '';
CREATE INDEX runs_row ON runs (row_id) WHERE row_id <> '';
CREATE INDEX runs_running ON runs (channel_id, binding_id) WHERE state = 'running';
CREATE TABLE script_uses (
    bench   TEXT NOT NULL,
    path    TEXT NOT NULL,
    written INTEGER NOT NULL,
    run     INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    PRIMARY KEY (bench, path)
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE search USING fts5(body, tokenize = 'trigram case_sensitive 1', content = '', contentless_delete = 1, detail = none);
CREATE TABLE 'search_config'(k PRIMARY KEY, v) WITHOUT ROWID;
CREATE TABLE 'search_data'(id INTEGER PRIMARY KEY, block BLOB);
CREATE TABLE 'search_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER);
CREATE TABLE 'search_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
CREATE VIRTUAL TABLE search_terms USING fts5vocab('search', 'row');
CREATE TABLE sessions (
    native     TEXT NOT NULL PRIMARY KEY,
    binding_id TEXT NOT NULL REFERENCES bindings (id) ON DELETE CASCADE,
    channel_id TEXT NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
    workspace  TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at   INTEGER NOT NULL DEFAULT 0,
    end_reason TEXT NOT NULL DEFAULT ''
, model TEXT NOT NULL DEFAULT '') STRICT;
CREATE INDEX sessions_binding ON sessions (binding_id, ended_at);
CREATE INDEX sessions_channel ON sessions (channel_id);
CREATE INDEX sessions_open ON sessions (started_at) WHERE ended_at = 0;
CREATE TABLE staged (
    run_id  TEXT NOT NULL PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    native  TEXT NOT NULL,
    last_at INTEGER NOT NULL,
    ids     TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE staged_index (
    run_id TEXT NOT NULL PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    native TEXT NOT NULL,
    mark   TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE tool_calls (
    binding_id TEXT NOT NULL REFERENCES bindings (id) ON DELETE CASCADE,
    tool       TEXT NOT NULL,
    subagent   INTEGER NOT NULL CHECK (subagent IN (0, 1)),
    calls      INTEGER NOT NULL,
    failed     INTEGER NOT NULL,
    last_at    INTEGER NOT NULL,
    PRIMARY KEY (binding_id, tool, subagent)
) STRICT, WITHOUT ROWID;
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
    money                   INTEGER NOT NULL, settings TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (channel_id, ended_at, run_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX turns_binding ON turns (binding_id, ended_at);
CREATE INDEX turns_compared ON turns (binding_id, ended_at) WHERE main_calls > 0 OR compactions <> '';
CREATE UNIQUE INDEX turns_run ON turns (run_id);
CREATE TABLE watermarks (
    binding_id     TEXT NOT NULL REFERENCES bindings (id) ON DELETE CASCADE,
    channel_id     TEXT NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
    thread_root_id TEXT NOT NULL,
    native         TEXT NOT NULL,
    last_at        INTEGER NOT NULL,
    ids            TEXT NOT NULL,
    PRIMARY KEY (binding_id, channel_id, thread_root_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX watermarks_channel ON watermarks (channel_id);
