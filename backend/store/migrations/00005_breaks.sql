-- +goose Up

-- What a person had decided of the agent when a turn's process was started: pairs like role=1a2b3c, a hash by name, with a
-- space between them ('' is not known). Two turns are compared by them to tell what a person changed.
ALTER TABLE turns ADD COLUMN settings TEXT NOT NULL DEFAULT '';

-- The model that a native session's last turn was answered with, by the client's own name ('' is not known): a process that
-- loads the session is given it.
ALTER TABLE sessions ADD COLUMN model TEXT NOT NULL DEFAULT '';

-- The turns that are compared for cache breaks: a turn in which the agent itself asked nothing is none of them.
CREATE INDEX turns_compared ON turns (binding_id, ended_at) WHERE main_calls > 0 OR compactions <> '';
