-- name: Session :one
SELECT * FROM sessions WHERE native = sqlc.arg(native);

-- name: StartSession :exec
INSERT INTO sessions (native, binding_id, channel_id, workspace, started_at)
VALUES (sqlc.arg(native), sqlc.arg(binding_id), sqlc.arg(channel_id), sqlc.arg(workspace), sqlc.arg(started_at))
ON CONFLICT (native) DO UPDATE SET workspace = excluded.workspace, ended_at = 0, end_reason = '';

-- name: SetSessionModel :exec
UPDATE sessions SET model = sqlc.arg(model) WHERE native = sqlc.arg(native);

-- name: ModelOf :one
SELECT model FROM sessions WHERE native = sqlc.arg(native);

-- name: EndSession :exec
UPDATE sessions SET ended_at = sqlc.arg(ended_at), end_reason = sqlc.arg(end_reason)
WHERE native = sqlc.arg(native) AND ended_at = 0;

-- name: OpenSessions :many
SELECT * FROM sessions WHERE ended_at = 0 ORDER BY started_at;

-- name: OpenSessionsOf :many
SELECT * FROM sessions WHERE binding_id = sqlc.arg(binding_id) AND ended_at = 0;

-- name: Restorable :one
SELECT sessions.* FROM sessions
JOIN bindings ON bindings.id = sessions.binding_id
JOIN channels ON channels.id = bindings.channel_id
WHERE sessions.binding_id = sqlc.arg(binding_id) AND sessions.ended_at > 0 AND sessions.started_at > bindings.fresh_at
    AND bindings.deleted_at = 0 AND sessions.workspace = channels.workspace
    AND EXISTS (
        SELECT 1 FROM runs LEFT JOIN rows ON rows.id = runs.reply_id
        WHERE runs.native = sessions.native AND runs.native <> '' AND runs.proven = 1 AND coalesce(rows.note, '') <> 'command'
    )
ORDER BY sessions.ended_at DESC LIMIT 1;

-- name: RecordProcess :exec
INSERT INTO processes (mark, pid, started, native, binding_id)
VALUES (sqlc.arg(mark), sqlc.arg(pid), sqlc.arg(started), sqlc.arg(native), sqlc.arg(binding_id))
ON CONFLICT (mark) DO UPDATE
SET pid = excluded.pid, started = excluded.started, native = excluded.native, binding_id = excluded.binding_id;

-- name: ForgetProcess :exec
DELETE FROM processes WHERE mark = sqlc.arg(mark);

-- name: Processes :many
SELECT * FROM processes ORDER BY mark;

-- name: Meta :one
SELECT value FROM meta WHERE key = sqlc.arg(key);

-- name: AddMeta :exec
INSERT INTO meta (key, value) VALUES (sqlc.arg(key), sqlc.arg(value)) ON CONFLICT DO NOTHING;

-- name: SetMeta :exec
INSERT INTO meta (key, value) VALUES (sqlc.arg(key), sqlc.arg(value)) ON CONFLICT DO UPDATE SET value = excluded.value;

-- name: PutCommands :exec
INSERT INTO client_commands (binding_id, runtime, at, commands)
VALUES (sqlc.arg(binding_id), sqlc.arg(runtime), sqlc.arg(at), sqlc.arg(commands))
ON CONFLICT (binding_id) DO UPDATE SET runtime = excluded.runtime, at = excluded.at, commands = excluded.commands;

-- name: Commands :one
SELECT runtime, at, commands FROM client_commands WHERE binding_id = sqlc.arg(binding_id);
