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

-- name: RowsFrom :many
SELECT * FROM rows
WHERE channel_id = sqlc.arg(channel_id) AND thread_root_id = sqlc.arg(thread_root_id) AND created_at >= sqlc.arg(since)
ORDER BY created_at LIMIT sqlc.arg(most);

-- name: AnyBefore :one
SELECT EXISTS (SELECT 1 FROM rows
    WHERE channel_id = sqlc.arg(channel_id) AND thread_root_id = sqlc.arg(thread_root_id) AND created_at < sqlc.arg(before));

-- name: AnyFrom :one
SELECT EXISTS (SELECT 1 FROM rows
    WHERE channel_id = sqlc.arg(channel_id) AND thread_root_id = sqlc.arg(thread_root_id) AND created_at >= sqlc.arg(since));

-- name: NewestBefore :one
SELECT id FROM rows WHERE channel_id = sqlc.arg(channel_id) AND created_at < sqlc.arg(before)
ORDER BY created_at DESC LIMIT 1;

-- name: EditRow :exec
UPDATE rows SET body = sqlc.arg(body), edited_at = sqlc.arg(edited_at) WHERE id = sqlc.arg(id);

-- name: DeleteRow :exec
DELETE FROM rows WHERE id = sqlc.arg(id);

-- name: EmptyRow :exec
UPDATE rows SET body = '', deleted_at = sqlc.arg(deleted_at) WHERE id = sqlc.arg(id);

-- name: PutVersion :exec
INSERT INTO row_versions (row_id, at, body) VALUES (sqlc.arg(row_id), sqlc.arg(at), sqlc.arg(body));

-- name: Versions :many
SELECT at, body FROM row_versions WHERE row_id = sqlc.arg(row_id) ORDER BY at DESC LIMIT sqlc.arg(most);

-- name: DeleteVersions :exec
DELETE FROM row_versions WHERE row_id = sqlc.arg(row_id);

-- name: PutCorrection :exec
INSERT INTO corrections (row_id, id, channel_id, thread_root_id, at)
VALUES (sqlc.arg(row_id), sqlc.arg(id), sqlc.arg(channel_id), sqlc.arg(thread_root_id), sqlc.arg(at))
ON CONFLICT (row_id) DO UPDATE SET id = excluded.id, at = excluded.at;

-- name: Corrections :many
SELECT corrections.id, corrections.at, sqlc.embed(rows) FROM corrections JOIN rows ON rows.id = corrections.row_id
WHERE corrections.channel_id = sqlc.arg(channel_id) AND corrections.at > sqlc.arg(after)
ORDER BY corrections.at DESC LIMIT sqlc.arg(most);

-- name: CountDeleted :many
SELECT handle, count(*) FROM rows
WHERE channel_id = sqlc.arg(channel_id) AND thread_root_id = sqlc.arg(thread_root_id) AND deleted_at <> 0
    AND created_at > sqlc.arg(after) AND created_at < sqlc.arg(before)
    AND (binding_id <> sqlc.arg(not_by) OR sqlc.arg(not_by) = '')
GROUP BY handle;

-- name: ShownTo :many
SELECT watermarks.binding_id FROM watermarks
WHERE watermarks.channel_id = sqlc.arg(channel_id) AND (
    watermarks.last_at >= sqlc.arg(created_at) AND watermarks.thread_root_id IN (sqlc.arg(thread_root_id), sqlc.arg(row_id))
    OR instr(' ' || watermarks.ids || ' ', ' ' || sqlc.arg(row_id) || ' ') > 0
)
LIMIT 1;

-- name: BeingShownTo :many
SELECT runs.binding_id FROM runs LEFT JOIN staged ON staged.run_id = runs.id
WHERE runs.channel_id = sqlc.arg(channel_id) AND runs.state = 'running' AND (
    staged.last_at >= sqlc.arg(created_at) AND runs.thread_root_id IN (sqlc.arg(thread_root_id), sqlc.arg(row_id))
    OR instr(' ' || staged.ids || ' ', ' ' || sqlc.arg(row_id) || ' ') > 0
    OR staged.run_id IS NULL AND runs.started_at > sqlc.arg(created_at) AND runs.thread_root_id IN (sqlc.arg(thread_root_id), sqlc.arg(row_id))
)
LIMIT 1;

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
WHERE deleted_at = 0 AND id IN (SELECT value FROM json_each(CAST(sqlc.arg(ids) AS TEXT)));

-- name: HistoryBefore :many
SELECT * FROM rows WHERE channel_id = sqlc.arg(channel_id) AND created_at < sqlc.arg(before)
  AND deleted_at = 0
ORDER BY created_at DESC LIMIT sqlc.arg(most);
