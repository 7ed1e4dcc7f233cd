-- name: AddToolCalls :exec
INSERT INTO tool_calls (binding_id, tool, subagent, calls, failed, last_at)
VALUES (sqlc.arg(binding_id), sqlc.arg(tool), sqlc.arg(subagent), sqlc.arg(calls), sqlc.arg(failed), sqlc.arg(last_at))
ON CONFLICT (binding_id, tool, subagent) DO UPDATE
SET calls = calls + excluded.calls, failed = failed + excluded.failed, last_at = max(last_at, excluded.last_at);

-- name: ToolCalls :many
SELECT tool, subagent, calls, failed, last_at FROM tool_calls
WHERE binding_id = sqlc.arg(binding_id) ORDER BY calls DESC, tool, subagent LIMIT sqlc.arg(most);

-- name: InsertProcessEnd :exec
INSERT INTO process_ends (binding_id, ended_at, native, how, reason)
VALUES (sqlc.arg(binding_id), sqlc.arg(ended_at), sqlc.arg(native), sqlc.arg(how), sqlc.arg(reason))
ON CONFLICT DO NOTHING;

-- name: TrimProcessEnds :exec
DELETE FROM process_ends
WHERE process_ends.binding_id = sqlc.arg(binding_id) AND process_ends.ended_at NOT IN (
    SELECT kept.ended_at FROM process_ends AS kept WHERE kept.binding_id = sqlc.arg(binding_id)
    ORDER BY kept.ended_at DESC LIMIT sqlc.arg(most)
);

-- name: ProcessEnds :many
SELECT ended_at, native, how, reason FROM process_ends
WHERE binding_id = sqlc.arg(binding_id) ORDER BY ended_at DESC LIMIT sqlc.arg(most);

-- name: EndsBetween :many
SELECT binding_id, ended_at, native, how, reason FROM process_ends
WHERE binding_id IN (SELECT value FROM json_each(CAST(sqlc.arg(binding_ids) AS TEXT)))
    AND ended_at > sqlc.arg(after_at) AND ended_at < sqlc.arg(before_at)
ORDER BY binding_id, ended_at DESC;

-- name: TurnsIn :one
SELECT count(*) AS turns, CAST(coalesce(min(started_at), 0) AS INTEGER) AS began_at
FROM runs WHERE native = sqlc.arg(native) AND native <> '';

-- name: QueuedRuns :many
SELECT runs.id, runs.row_id, runs.queued_at, CAST(coalesce(rows.handle, '') AS TEXT) AS handle,
    CAST(coalesce(rows.kind, '') AS TEXT) AS kind, CAST(coalesce(rows.body, '') AS TEXT) AS body
FROM runs LEFT JOIN rows ON rows.id = runs.row_id
WHERE runs.binding_id = sqlc.arg(binding_id) AND runs.state IN ('queued', 'waiting')
ORDER BY runs.queued_at, runs.id LIMIT sqlc.arg(most);
