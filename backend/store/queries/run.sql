-- name: Run :one
SELECT * FROM runs WHERE id = sqlc.arg(id);

-- name: RunsBefore :many
SELECT * FROM runs
WHERE channel_id = sqlc.arg(channel_id) AND queued_at <= sqlc.arg(before_at)
    AND (queued_at < sqlc.arg(before_at) OR id < sqlc.arg(before_id))
ORDER BY queued_at DESC, id DESC LIMIT sqlc.arg(most);

-- name: RunsGoing :many
SELECT * FROM runs
WHERE channel_id = sqlc.arg(channel_id) AND queued_at >= sqlc.arg(oldest) AND queued_at <= sqlc.arg(until)
    AND started_at > 0 AND started_at <= sqlc.arg(until) AND (ended_at = 0 OR ended_at >= sqlc.arg(since))
ORDER BY queued_at DESC, id DESC LIMIT sqlc.arg(most);

-- name: InsertRun :exec
INSERT INTO runs (id, channel_id, binding_id, row_id, thread_root_id, cause, retry_of, hops, state, queued_at)
VALUES (sqlc.arg(id), sqlc.arg(channel_id), sqlc.arg(binding_id), sqlc.arg(row_id), sqlc.arg(thread_root_id),
    sqlc.arg(cause), sqlc.arg(retry_of), sqlc.arg(hops), sqlc.arg(state), sqlc.arg(queued_at));

-- name: QueuedKeys :many
SELECT channel_id, binding_id FROM runs WHERE state IN ('queued', 'waiting')
GROUP BY binding_id, channel_id ORDER BY min(queued_at), binding_id;

-- name: UnendedRuns :many
SELECT * FROM runs WHERE binding_id = sqlc.arg(binding_id) AND ended_at = 0 ORDER BY queued_at, id;

-- name: NextRun :one
SELECT * FROM runs
WHERE binding_id = sqlc.arg(binding_id) AND state IN ('queued', 'waiting')
ORDER BY queued_at, id LIMIT 1;

-- name: QueueLengths :many
SELECT q.binding_id, count(*) FROM bindings AS b JOIN runs AS q ON q.binding_id = b.id
WHERE b.channel_id = sqlc.arg(channel_id) AND q.ended_at = 0 AND q.state IN ('queued', 'waiting')
GROUP BY q.binding_id;

-- name: RunningRuns :many
SELECT binding_id, id FROM runs WHERE channel_id = sqlc.arg(channel_id) AND state = 'running';

-- name: HalfEnded :many
SELECT * FROM runs WHERE state = 'running' ORDER BY started_at, id;

-- name: HeldRows :many
SELECT rows.id, rows.created_at FROM runs JOIN rows ON rows.id = runs.row_id
WHERE runs.binding_id = sqlc.arg(binding_id) AND runs.ended_at = 0 AND runs.state IN ('queued', 'waiting')
    AND runs.id <> sqlc.arg(but);

-- name: RunsOfRow :many
SELECT * FROM runs WHERE row_id = sqlc.arg(row_id) AND row_id <> '' ORDER BY queued_at, id;

-- name: DeleteRun :exec
DELETE FROM runs WHERE id = sqlc.arg(id);

-- name: SetRunState :exec
UPDATE runs SET state = sqlc.arg(state) WHERE id = sqlc.arg(id);

-- name: BeginRun :exec
UPDATE runs
SET state = 'running', temperature = sqlc.arg(temperature), native = sqlc.arg(native),
    message_uuid = sqlc.arg(message_uuid), started_at = sqlc.arg(started_at)
WHERE id = sqlc.arg(id);

-- name: EndRun :exec
UPDATE runs
SET state = sqlc.arg(state), reply_id = sqlc.arg(reply_id), failure_code = sqlc.arg(failure_code),
    failure_message = sqlc.arg(failure_message), failure_held = sqlc.arg(failure_held), proven = sqlc.arg(proven),
    input = sqlc.arg(input), cache_read = sqlc.arg(cache_read), cache_write_5m = sqlc.arg(cache_write_5m),
    cache_write_1h = sqlc.arg(cache_write_1h), output = sqlc.arg(output), cost_usd = sqlc.arg(cost_usd),
    thinking = sqlc.arg(thinking), ttft = sqlc.arg(ttft), context_size = sqlc.arg(context_size),
    context_window = sqlc.arg(context_window), ended_at = sqlc.arg(ended_at)
WHERE id = sqlc.arg(id);

-- name: LatestThread :one
SELECT thread_root_id FROM runs
WHERE native = sqlc.arg(native) AND native <> '' AND binding_id = sqlc.arg(binding_id)
ORDER BY started_at DESC LIMIT 1;

-- name: RetryOf :one
SELECT id FROM runs WHERE retry_of = sqlc.arg(id) AND retry_of <> '';

-- name: Exchanges :many
SELECT runs.row_id, runs.reply_id,
    CAST(coalesce(asked.body, '') AS TEXT) AS asked, CAST(coalesce(answered.body, '') AS TEXT) AS answered,
    CAST(coalesce(asked.edited_at > runs.started_at, 0) AS INTEGER) AS edited,
    CAST(coalesce(asked.deleted_at > 0, 0) AS INTEGER) AS deleted
FROM runs
LEFT JOIN rows AS asked ON asked.id = runs.row_id
LEFT JOIN rows AS answered ON answered.id = runs.reply_id
WHERE runs.binding_id = sqlc.arg(binding_id) AND runs.ended_at > sqlc.arg(fresh_at) AND runs.started_at > sqlc.arg(fresh_at)
    AND runs.state IN ('succeeded', 'declined') AND runs.native <> sqlc.arg(but) AND coalesce(answered.note, '') <> 'command'
ORDER BY runs.ended_at DESC LIMIT sqlc.arg(most);

-- name: InsertSent :exec
INSERT INTO run_sent (run_id, sent) VALUES (sqlc.arg(run_id), sqlc.arg(sent));

-- name: AskedSince :one
SELECT EXISTS (
    SELECT 1 FROM runs
    WHERE binding_id = sqlc.arg(binding_id) AND (ended_at = 0 OR ended_at > sqlc.arg(at))
        AND (queued_at > sqlc.arg(at) OR started_at > sqlc.arg(at))
);

-- name: Sent :one
SELECT sent FROM run_sent WHERE run_id = sqlc.arg(run_id);

-- name: InsertStaged :exec
INSERT INTO staged (run_id, native, last_at, ids)
VALUES (sqlc.arg(run_id), sqlc.arg(native), sqlc.arg(last_at), sqlc.arg(ids));

-- name: TakeStaged :one
DELETE FROM staged WHERE run_id = sqlc.arg(run_id) RETURNING native, last_at, ids;

-- name: InsertStagedIndex :exec
INSERT INTO staged_index (run_id, native, mark) VALUES (sqlc.arg(run_id), sqlc.arg(native), sqlc.arg(mark));

-- name: TakeStagedIndex :one
DELETE FROM staged_index WHERE run_id = sqlc.arg(run_id) RETURNING native, mark;

-- name: PutSaving :exec
INSERT INTO run_savings (run_id, n, kind, step_id, agent_id, tool, detail, path, chars, lines, tokens, fault, at)
VALUES (sqlc.arg(run_id), sqlc.arg(n), sqlc.arg(kind), sqlc.arg(step_id), sqlc.arg(agent_id), sqlc.arg(tool),
    sqlc.arg(detail), sqlc.arg(path), sqlc.arg(chars), sqlc.arg(lines), sqlc.arg(tokens), sqlc.arg(fault), sqlc.arg(at));

-- name: Savings :many
SELECT * FROM run_savings WHERE run_id = sqlc.arg(run_id) ORDER BY n;

-- name: UseScript :exec
INSERT INTO script_uses (bench, path, written, run, last_at)
VALUES (sqlc.arg(bench), sqlc.arg(path), sqlc.arg(written), sqlc.arg(run), sqlc.arg(last_at))
ON CONFLICT DO UPDATE
SET written = written + excluded.written, run = run + excluded.run, last_at = max(last_at, excluded.last_at);

-- name: ScriptUses :many
SELECT * FROM script_uses WHERE bench = sqlc.arg(bench) ORDER BY path;

-- name: PutStep :exec
INSERT INTO run_steps (run_id, n, kind, step_id, parent, name, input, output, error, at, took)
VALUES (sqlc.arg(run_id), sqlc.arg(n), sqlc.arg(kind), sqlc.arg(step_id), sqlc.arg(parent), sqlc.arg(name),
    sqlc.arg(input), sqlc.arg(output), sqlc.arg(error), sqlc.arg(at), sqlc.arg(took))
ON CONFLICT (run_id, n) DO UPDATE
SET kind = excluded.kind, step_id = excluded.step_id, parent = excluded.parent, name = excluded.name,
    input = excluded.input, output = excluded.output, error = excluded.error, at = excluded.at, took = excluded.took;

-- name: Steps :many
SELECT * FROM run_steps WHERE run_id = sqlc.arg(run_id) ORDER BY n;

-- name: WritingSteps :many
SELECT n, step_id, parent, name, input, at, took FROM run_steps
WHERE run_id = sqlc.arg(run_id) AND instr(input, CAST(sqlc.arg(file) AS TEXT)) > 0
    AND (error = 0 AND name IN ('Write', 'Edit', 'MultiEdit', 'NotebookEdit') OR name = 'Bash')
ORDER BY n;

-- name: PutCall :exec
INSERT INTO run_calls (run_id, n, message_id, model, main, input, cache_read, cache_write_5m, cache_write_1h, output,
    thinking, ttft, began_at, ended_at, miss_reason, miss_tokens)
VALUES (sqlc.arg(run_id), sqlc.arg(n), sqlc.arg(message_id), sqlc.arg(model), sqlc.arg(main), sqlc.arg(input),
    sqlc.arg(cache_read), sqlc.arg(cache_write_5m), sqlc.arg(cache_write_1h), sqlc.arg(output), sqlc.arg(thinking),
    sqlc.arg(ttft), sqlc.arg(began_at), sqlc.arg(ended_at), sqlc.arg(miss_reason), sqlc.arg(miss_tokens));

-- name: Calls :many
SELECT * FROM run_calls WHERE run_id IN (SELECT value FROM json_each(CAST(sqlc.arg(run_ids) AS TEXT))) ORDER BY run_id, n;

-- name: Answers :many
SELECT row_id, reply_id FROM runs WHERE binding_id = sqlc.arg(binding_id) AND row_id <> '' AND reply_id <> '';
