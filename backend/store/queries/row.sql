-- name: Row :one
SELECT * FROM rows WHERE id = sqlc.arg(id);

-- name: InsertRow :exec
INSERT INTO rows (id, channel_id, thread_root_id, kind, handle, binding_id, run_id, note, body, created_at)
VALUES (sqlc.arg(id), sqlc.arg(channel_id), sqlc.arg(thread_root_id), sqlc.arg(kind), sqlc.arg(handle),
    sqlc.arg(binding_id), sqlc.arg(run_id), sqlc.arg(note), sqlc.arg(body), sqlc.arg(created_at));

-- name: RowsBefore :many
SELECT * FROM rows
WHERE channel_id = sqlc.arg(channel_id) AND thread_root_id = sqlc.arg(thread_root_id) AND created_at < sqlc.arg(before)
ORDER BY created_at DESC LIMIT sqlc.arg(most);

-- name: ThreadSize :one
SELECT count(*) FROM rows AS replies
WHERE replies.thread_root_id = sqlc.arg(root_id)
    AND replies.channel_id = (SELECT roots.channel_id FROM rows AS roots WHERE roots.id = sqlc.arg(root_id));

-- name: CountBetween :many
SELECT handle, count(*) FROM rows
WHERE channel_id = sqlc.arg(channel_id) AND thread_root_id = sqlc.arg(thread_root_id)
    AND created_at > sqlc.arg(after) AND created_at < sqlc.arg(before)
    AND (binding_id <> sqlc.arg(not_by) OR sqlc.arg(not_by) = '')
GROUP BY handle;

-- name: RowsListed :many
SELECT channel_id, thread_root_id, handle, binding_id, created_at FROM rows
WHERE id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT)));
