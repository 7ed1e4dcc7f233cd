-- +goose Up

-- What a run made of files, as far as the client's own tools changed them. A hash is SHA-256 in hexadecimal: '' is no file, '-' one that
-- is too large to be told from another version. over is what undo took out of a file's place. going is 1 while a change is
-- being taken back, 2 while it is being put back: whoever finds it at a start looks at the file to learn what came of it.
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

CREATE UNIQUE INDEX run_changes_path ON run_changes (path, run_id);
CREATE INDEX run_changes_before ON run_changes (before_hash);
CREATE INDEX run_changes_after ON run_changes (after_hash);
CREATE INDEX run_changes_over ON run_changes (over_hash) WHERE over_hash <> '';
CREATE INDEX run_changes_going ON run_changes (run_id) WHERE going <> 0;

-- The contents, each once, deflated. They go with the last change that names them, or when they have not been named for long.
CREATE TABLE change_texts (
    hash TEXT NOT NULL PRIMARY KEY,
    text BLOB NOT NULL,
    at   INTEGER NOT NULL
) STRICT;

CREATE INDEX change_texts_at ON change_texts (at);

-- +goose StatementBegin
CREATE TRIGGER change_texts_lost AFTER DELETE ON run_changes BEGIN
    DELETE FROM change_texts
    WHERE hash IN (old.before_hash, old.after_hash, old.over_hash)
        AND NOT EXISTS (SELECT 1 FROM run_changes WHERE before_hash = hash)
        AND NOT EXISTS (SELECT 1 FROM run_changes WHERE after_hash = hash)
        AND NOT EXISTS (SELECT 1 FROM run_changes WHERE over_hash = hash AND over_hash <> '');
END;
-- +goose StatementEnd

-- Summed up for lists: how many files a run changed, by how many lines, and how many of them were taken back.
ALTER TABLE runs ADD COLUMN changed_files INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN changed_added INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN changed_removed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN changed_undone INTEGER NOT NULL DEFAULT 0;
