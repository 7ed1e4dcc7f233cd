-- +goose Up

-- The commands that a binding's client named when its newest process started, as JSON, so that they can be offered while there is
-- none. They are those of the runtime it had then.
CREATE TABLE client_commands (
    binding_id TEXT NOT NULL PRIMARY KEY REFERENCES bindings (id) ON DELETE CASCADE,
    runtime    TEXT NOT NULL,
    at         INTEGER NOT NULL,
    commands   TEXT NOT NULL
) STRICT, WITHOUT ROWID;
