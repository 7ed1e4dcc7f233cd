-- name: Bindings :many
SELECT * FROM bindings WHERE channel_id = sqlc.arg(channel_id) AND deleted_at = 0 ORDER BY created_at, id;

-- name: Binding :one
SELECT * FROM bindings WHERE id = sqlc.arg(id);

-- name: BindingByHandle :one
SELECT * FROM bindings
WHERE channel_id = sqlc.arg(channel_id) AND handle_fold = sqlc.arg(handle_fold) AND deleted_at = 0;

-- name: CreateBinding :exec
INSERT INTO bindings (id, channel_id, handle, handle_fold, runtime, model, permission_mode, supervised, resident,
    base_url, token, brief_every_turn, role, glance, hands, workers, spill_over, created_at)
VALUES (sqlc.arg(id), sqlc.arg(channel_id), sqlc.arg(handle), sqlc.arg(handle_fold), sqlc.arg(runtime), sqlc.arg(model),
    sqlc.arg(permission_mode), sqlc.arg(supervised), sqlc.arg(resident), sqlc.arg(base_url), sqlc.arg(token),
    sqlc.arg(brief_every_turn), sqlc.arg(role), sqlc.arg(glance), sqlc.arg(hands), sqlc.arg(workers), sqlc.arg(spill_over),
    sqlc.arg(created_at));

-- name: UpdateBinding :exec
UPDATE bindings
SET handle = sqlc.arg(handle), handle_fold = sqlc.arg(handle_fold), runtime = sqlc.arg(runtime), model = sqlc.arg(model),
    permission_mode = sqlc.arg(permission_mode), supervised = sqlc.arg(supervised), resident = sqlc.arg(resident),
    base_url = sqlc.arg(base_url), token = sqlc.arg(token), brief_every_turn = sqlc.arg(brief_every_turn),
    role = sqlc.arg(role), glance = sqlc.arg(glance), hands = sqlc.arg(hands), workers = sqlc.arg(workers),
    spill_over = sqlc.arg(spill_over)
WHERE id = sqlc.arg(id);

-- name: RemoveBinding :exec
UPDATE bindings SET deleted_at = sqlc.arg(deleted_at), token = '' WHERE id = sqlc.arg(id);

-- name: RefreshBinding :exec
UPDATE bindings SET fresh_at = sqlc.arg(fresh_at), fresh_before = sqlc.arg(fresh_before) WHERE id = sqlc.arg(id);

-- name: Watermarks :many
SELECT thread_root_id, native, last_at, ids FROM watermarks WHERE binding_id = sqlc.arg(binding_id);

-- name: Watermark :one
SELECT native, last_at, ids FROM watermarks
WHERE binding_id = sqlc.arg(binding_id) AND channel_id = sqlc.arg(channel_id) AND thread_root_id = sqlc.arg(thread_root_id);

-- name: PutWatermark :exec
INSERT INTO watermarks (binding_id, channel_id, thread_root_id, native, last_at, ids)
VALUES (sqlc.arg(binding_id), sqlc.arg(channel_id), sqlc.arg(thread_root_id), sqlc.arg(native), sqlc.arg(last_at), sqlc.arg(ids))
ON CONFLICT DO UPDATE SET native = excluded.native, last_at = excluded.last_at, ids = excluded.ids;

-- name: ForgetWatermarks :exec
DELETE FROM watermarks WHERE binding_id = sqlc.arg(binding_id);

-- name: IndexMark :one
SELECT native, mark FROM index_marks WHERE binding_id = sqlc.arg(binding_id);

-- name: PutIndexMark :exec
INSERT INTO index_marks (binding_id, native, mark) VALUES (sqlc.arg(binding_id), sqlc.arg(native), sqlc.arg(mark))
ON CONFLICT DO UPDATE SET native = excluded.native, mark = excluded.mark;

-- name: ForgetIndexMark :exec
DELETE FROM index_marks WHERE binding_id = sqlc.arg(binding_id);
