-- +goose Up

-- What fresh_at was before the last Start fresh, which goes back to it when that is taken back; -1: there is none to take back.
ALTER TABLE bindings ADD COLUMN fresh_before INTEGER NOT NULL DEFAULT -1;
