-- +goose Up

-- When its owner deleted a row that others know: its text is gone, its place stays.
ALTER TABLE rows ADD COLUMN deleted_at INTEGER NOT NULL DEFAULT 0;

-- Those alone: what is counted on rows_place counts them, too, and they are taken off.
CREATE INDEX rows_deleted ON rows (channel_id, thread_root_id, created_at, handle, binding_id) WHERE deleted_at <> 0;

-- What a row said before it was edited, as far as agents were told it; at is since when it had said so.
CREATE TABLE row_versions (
    row_id TEXT NOT NULL REFERENCES rows (id) ON DELETE CASCADE,
    at     INTEGER NOT NULL,
    body   TEXT NOT NULL,
    PRIMARY KEY (row_id, at)
) STRICT, WITHOUT ROWID;

-- That a row was edited or deleted after agents were told it. It stands in the row's place at a time of its own, and has an id
-- by which watermarks know it. A row has one, the newest.
CREATE TABLE corrections (
    row_id         TEXT NOT NULL PRIMARY KEY REFERENCES rows (id) ON DELETE CASCADE,
    id             TEXT NOT NULL,
    channel_id     TEXT NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
    thread_root_id TEXT NOT NULL,
    at             INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX corrections_channel ON corrections (channel_id, at);
