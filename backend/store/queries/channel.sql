-- name: Channels :many
SELECT * FROM channels WHERE archived_at = 0 OR CAST(sqlc.arg(archived) AS INTEGER) = 1 ORDER BY created_at, id;

-- name: Channel :one
SELECT * FROM channels WHERE id = sqlc.arg(id);

-- name: ChannelByName :one
SELECT * FROM channels WHERE name_fold = sqlc.arg(name_fold) AND archived_at = 0;

-- name: CreateChannel :exec
INSERT INTO channels (id, name, name_fold, topic, workspace, direct, created_at, archived_at, last_at, last_id)
VALUES (sqlc.arg(id), sqlc.arg(name), sqlc.arg(name_fold), sqlc.arg(topic), sqlc.arg(workspace), sqlc.arg(direct),
    sqlc.arg(created_at), sqlc.arg(archived_at), sqlc.arg(created_at), sqlc.arg(id));

-- name: UpdateChannel :exec
UPDATE channels
SET name = sqlc.arg(name), name_fold = sqlc.arg(name_fold), topic = sqlc.arg(topic), workspace = sqlc.arg(workspace),
    archived_at = sqlc.arg(archived_at)
WHERE id = sqlc.arg(id);

-- name: DeleteChannel :exec
DELETE FROM channels WHERE id = sqlc.arg(id);

-- name: CountRows :one
SELECT count(*) FROM rows WHERE channel_id = sqlc.arg(channel_id);

-- name: SetLast :exec
UPDATE channels SET last_at = sqlc.arg(last_at), last_id = sqlc.arg(last_id) WHERE id = sqlc.arg(id);

-- name: Members :many
SELECT channel_id, handle, joined_at FROM members WHERE channel_id = sqlc.arg(channel_id) ORDER BY joined_at, handle_fold;

-- name: AddMember :exec
INSERT INTO members (channel_id, handle_fold, handle, joined_at)
VALUES (sqlc.arg(channel_id), sqlc.arg(handle_fold), sqlc.arg(handle), sqlc.arg(joined_at))
ON CONFLICT DO NOTHING;
