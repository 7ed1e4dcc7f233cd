-- name: Channels :many
SELECT sqlc.embed(channels), CAST(coalesce(newest.id, '') AS TEXT) AS newest_id,
    CAST(coalesce(newest.created_at, 0) AS INTEGER) AS newest_at,
    CAST((SELECT count(*) FROM (
        SELECT 1 FROM rows WHERE rows.channel_id = channels.id AND rows.created_at > channels.read_at
            AND (rows.kind <> 'user' OR rows.handle <> '') LIMIT 100
    )) AS INTEGER) AS unread
FROM channels LEFT JOIN rows AS newest ON newest.id = (
    SELECT last.id FROM rows AS last WHERE last.channel_id = channels.id ORDER BY last.created_at DESC LIMIT 1
)
WHERE channels.archived_at = 0 OR CAST(sqlc.arg(archived) AS INTEGER) = 1
ORDER BY channels.created_at, channels.id;

-- name: ChannelRead :one
SELECT sqlc.embed(channels), CAST(coalesce(newest.id, '') AS TEXT) AS newest_id,
    CAST(coalesce(newest.created_at, 0) AS INTEGER) AS newest_at,
    CAST((SELECT count(*) FROM (
        SELECT 1 FROM rows WHERE rows.channel_id = channels.id AND rows.created_at > channels.read_at
            AND (rows.kind <> 'user' OR rows.handle <> '') LIMIT 100
    )) AS INTEGER) AS unread
FROM channels LEFT JOIN rows AS newest ON newest.id = (
    SELECT last.id FROM rows AS last WHERE last.channel_id = channels.id ORDER BY last.created_at DESC LIMIT 1
)
WHERE channels.id = sqlc.arg(id);

-- name: Channel :one
SELECT * FROM channels WHERE id = sqlc.arg(id);

-- name: ChannelByName :one
SELECT * FROM channels WHERE name_fold = sqlc.arg(name_fold) AND archived_at = 0;

-- name: CreateChannel :exec
INSERT INTO channels (id, name, name_fold, topic, workspace, direct, ignored, spend_limit_usd, created_at, archived_at, last_at, last_id)
VALUES (sqlc.arg(id), sqlc.arg(name), sqlc.arg(name_fold), sqlc.arg(topic), sqlc.arg(workspace), sqlc.arg(direct),
    sqlc.arg(ignored), sqlc.arg(spend_limit_usd), sqlc.arg(created_at), sqlc.arg(archived_at), sqlc.arg(created_at), sqlc.arg(id));

-- name: UpdateChannel :exec
UPDATE channels
SET name = sqlc.arg(name), name_fold = sqlc.arg(name_fold), topic = sqlc.arg(topic), workspace = sqlc.arg(workspace),
    ignored = sqlc.arg(ignored), spend_limit_usd = sqlc.arg(spend_limit_usd), archived_at = sqlc.arg(archived_at)
WHERE id = sqlc.arg(id);

-- name: ArchiveChannel :exec
UPDATE channels SET archived_at = sqlc.arg(archived_at) WHERE id = sqlc.arg(id);

-- name: DeleteChannel :exec
DELETE FROM channels WHERE id = sqlc.arg(id);

-- name: CountRows :one
SELECT count(*) FROM rows WHERE channel_id = sqlc.arg(channel_id);

-- name: MarkRead :exec
UPDATE channels SET read_id = sqlc.arg(read_id), read_at = sqlc.arg(read_at) WHERE id = sqlc.arg(id);

-- name: SetRevised :exec
UPDATE channels SET revised_at = sqlc.arg(revised_at) WHERE id = sqlc.arg(id);

-- name: SetLast :exec
UPDATE channels SET last_at = sqlc.arg(last_at), last_id = sqlc.arg(last_id) WHERE id = sqlc.arg(id);

-- name: Members :many
SELECT channel_id, handle, joined_at FROM members WHERE channel_id = sqlc.arg(channel_id) ORDER BY joined_at, handle_fold;

-- name: AddMember :exec
INSERT INTO members (channel_id, handle_fold, handle, joined_at)
VALUES (sqlc.arg(channel_id), sqlc.arg(handle_fold), sqlc.arg(handle), sqlc.arg(joined_at))
ON CONFLICT DO NOTHING;
