-- name: InsertTurn :exec
INSERT INTO turns (
    channel_id, ended_at, run_id, binding_id, process, client_version, tools_hash, tools_size, framing_hash,
    framing_size, settings, compactions, main_calls, main_input, main_cache_read, main_cache_write_5m, main_cache_write_1h,
    main_output, main_thinking, subagent_calls, subagent_input, subagent_cache_read, subagent_cache_write_5m,
    subagent_cache_write_1h, subagent_output, subagent_thinking, beside_input, beside_cache_read,
    beside_cache_write_5m, beside_cache_write_1h, beside_output, beside_thinking, money
) VALUES (
    sqlc.arg(channel_id), sqlc.arg(ended_at), sqlc.arg(run_id), sqlc.arg(binding_id), sqlc.arg(process),
    sqlc.arg(client_version), sqlc.arg(tools_hash), sqlc.arg(tools_size), sqlc.arg(framing_hash),
    sqlc.arg(framing_size), sqlc.arg(settings), sqlc.arg(compactions), sqlc.arg(main_calls), sqlc.arg(main_input),
    sqlc.arg(main_cache_read), sqlc.arg(main_cache_write_5m), sqlc.arg(main_cache_write_1h), sqlc.arg(main_output),
    sqlc.arg(main_thinking), sqlc.arg(subagent_calls), sqlc.arg(subagent_input), sqlc.arg(subagent_cache_read),
    sqlc.arg(subagent_cache_write_5m), sqlc.arg(subagent_cache_write_1h), sqlc.arg(subagent_output),
    sqlc.arg(subagent_thinking), sqlc.arg(beside_input), sqlc.arg(beside_cache_read),
    sqlc.arg(beside_cache_write_5m), sqlc.arg(beside_cache_write_1h), sqlc.arg(beside_output),
    sqlc.arg(beside_thinking), sqlc.arg(money)
);

-- name: InsertModel :exec
INSERT INTO run_models (run_id, n, model, counted, input, cache_read, cache_write_5m, cache_write_1h, output, thinking, cost_usd, money)
VALUES (sqlc.arg(run_id), sqlc.arg(n), sqlc.arg(model), sqlc.arg(counted), sqlc.arg(input), sqlc.arg(cache_read),
    sqlc.arg(cache_write_5m), sqlc.arg(cache_write_1h), sqlc.arg(output), sqlc.arg(thinking), sqlc.arg(cost_usd), sqlc.arg(money));

-- name: TurnPlace :one
SELECT channel_id, ended_at FROM turns WHERE run_id = sqlc.arg(run_id);

-- name: TurnsOfBinding :many
SELECT sqlc.embed(turns), sqlc.embed(runs) FROM turns JOIN runs ON runs.id = turns.run_id
WHERE turns.binding_id = sqlc.arg(binding_id) AND turns.ended_at < sqlc.arg(before_at)
ORDER BY turns.ended_at DESC LIMIT sqlc.arg(most);

-- name: TurnsOfChannel :many
SELECT sqlc.embed(turns), sqlc.embed(runs) FROM turns JOIN runs ON runs.id = turns.run_id
WHERE turns.channel_id = sqlc.arg(channel_id) AND turns.ended_at < sqlc.arg(before_at)
ORDER BY turns.ended_at DESC LIMIT sqlc.arg(most);

-- name: TurnsCompared :many
WITH asked AS (
    SELECT t.binding_id, min(t.ended_at) AS first_at, max(t.ended_at) AS last_at FROM turns AS t
    WHERE t.run_id IN (SELECT value FROM json_each(CAST(sqlc.arg(run_ids) AS TEXT))) GROUP BY t.binding_id
)
SELECT turns.run_id, turns.binding_id, turns.ended_at, turns.process, turns.client_version, turns.tools_hash, turns.tools_size,
    turns.framing_hash, turns.framing_size, turns.settings, turns.compactions, runs.native, runs.temperature, runs.started_at
FROM asked CROSS JOIN turns ON turns.binding_id = asked.binding_id AND turns.ended_at <= asked.last_at
    AND (turns.main_calls > 0 OR turns.compactions <> '') AND turns.ended_at >= coalesce((
        SELECT min(before.ended_at) FROM (
            SELECT t.ended_at FROM turns AS t
            WHERE t.binding_id = asked.binding_id AND t.ended_at < asked.first_at AND (t.main_calls > 0 OR t.compactions <> '')
            ORDER BY t.ended_at DESC LIMIT sqlc.arg(most_before)
        ) AS before
    ), asked.first_at)
JOIN runs ON runs.id = turns.run_id
ORDER BY turns.binding_id, turns.ended_at;

-- name: TurnBefore :one
SELECT t.run_id FROM runs JOIN turns AS t ON t.binding_id = runs.binding_id AND t.main_calls > 0
    AND t.ended_at < iif(runs.ended_at = 0, 9223372036854775807, runs.ended_at)
WHERE runs.id = sqlc.arg(run_id) AND runs.started_at <> 0
ORDER BY t.ended_at DESC LIMIT 1;

-- name: MainCalls :many
SELECT * FROM run_calls
WHERE run_id IN (SELECT value FROM json_each(CAST(sqlc.arg(run_ids) AS TEXT))) AND main = 1 ORDER BY run_id, n;

-- name: Models :many
SELECT run_id, model, input, cache_read, cache_write_5m, cache_write_1h, output, thinking, cost_usd FROM run_models
WHERE run_id IN (SELECT value FROM json_each(CAST(sqlc.arg(run_ids) AS TEXT))) AND counted = 1 ORDER BY run_id, n;

-- name: SumTurns :many
SELECT binding_id, count(*) AS turns,
    CAST(sum(main_calls) AS INTEGER) AS main_calls, CAST(sum(main_input) AS INTEGER) AS main_input,
    CAST(sum(main_cache_read) AS INTEGER) AS main_cache_read,
    CAST(sum(main_cache_write_5m) AS INTEGER) AS main_cache_write_5m,
    CAST(sum(main_cache_write_1h) AS INTEGER) AS main_cache_write_1h,
    CAST(sum(main_output) AS INTEGER) AS main_output, CAST(sum(main_thinking) AS INTEGER) AS main_thinking,
    CAST(sum(subagent_calls) AS INTEGER) AS subagent_calls, CAST(sum(subagent_input) AS INTEGER) AS subagent_input,
    CAST(sum(subagent_cache_read) AS INTEGER) AS subagent_cache_read,
    CAST(sum(subagent_cache_write_5m) AS INTEGER) AS subagent_cache_write_5m,
    CAST(sum(subagent_cache_write_1h) AS INTEGER) AS subagent_cache_write_1h,
    CAST(sum(subagent_output) AS INTEGER) AS subagent_output,
    CAST(sum(subagent_thinking) AS INTEGER) AS subagent_thinking, CAST(sum(beside_input) AS INTEGER) AS beside_input,
    CAST(sum(beside_cache_read) AS INTEGER) AS beside_cache_read,
    CAST(sum(beside_cache_write_5m) AS INTEGER) AS beside_cache_write_5m,
    CAST(sum(beside_cache_write_1h) AS INTEGER) AS beside_cache_write_1h,
    CAST(sum(beside_output) AS INTEGER) AS beside_output, CAST(sum(beside_thinking) AS INTEGER) AS beside_thinking,
    CAST(sum(money) AS INTEGER) AS money,
    CAST(sum(money = 0 AND main_input + main_cache_read + main_cache_write_5m + main_cache_write_1h + main_output
        + subagent_input + subagent_cache_read + subagent_cache_write_5m + subagent_cache_write_1h + subagent_output
        + beside_input + beside_cache_read + beside_cache_write_5m + beside_cache_write_1h + beside_output > 0) AS INTEGER) AS unpriced
FROM turns
WHERE channel_id = sqlc.arg(channel_id) AND ended_at >= sqlc.arg(from_at) AND ended_at < sqlc.arg(to_at)
GROUP BY binding_id ORDER BY binding_id;

-- name: SumModels :many
WITH used AS (
    SELECT m.model, sum(m.input) AS input, sum(m.cache_read) AS cache_read, sum(m.cache_write_5m) AS cache_write_5m,
        sum(m.cache_write_1h) AS cache_write_1h, sum(m.output) AS output, sum(m.thinking) AS thinking, sum(m.money) AS money
    FROM turns AS t JOIN run_models AS m ON m.run_id = t.run_id
    WHERE t.channel_id = sqlc.arg(channel_id) AND t.ended_at >= sqlc.arg(from_at) AND t.ended_at < sqlc.arg(to_at)
    GROUP BY m.run_id, m.model
)
SELECT model, count(*) AS turns,
    CAST(sum(input) AS INTEGER) AS input, CAST(sum(cache_read) AS INTEGER) AS cache_read,
    CAST(sum(cache_write_5m) AS INTEGER) AS cache_write_5m,
    CAST(sum(cache_write_1h) AS INTEGER) AS cache_write_1h, CAST(sum(output) AS INTEGER) AS output,
    CAST(sum(thinking) AS INTEGER) AS thinking, CAST(sum(money) AS INTEGER) AS money,
    CAST(sum(money = 0 AND input + cache_read + cache_write_5m + cache_write_1h + output > 0) AS INTEGER) AS unpriced
FROM used GROUP BY model ORDER BY model;

-- name: Spent :one
SELECT CAST(coalesce(sum(money), 0) AS INTEGER) AS money FROM turns
WHERE channel_id = sqlc.arg(channel_id) AND ended_at >= sqlc.arg(from_at) AND ended_at < sqlc.arg(to_at);

-- name: FramingOf :one
SELECT turns.framing_hash, turns.framing_size FROM runs JOIN turns ON turns.run_id = runs.id
WHERE runs.native = sqlc.arg(native) AND runs.native <> '' AND turns.framing_hash <> ''
ORDER BY runs.started_at DESC LIMIT 1;

-- name: AlwaysAllowed :one
SELECT count(*) FROM permissions
WHERE channel_id = sqlc.arg(channel_id) AND asked_at >= sqlc.arg(since) AND tool = sqlc.arg(tool) AND state = 'always';

-- name: OpenPermissionsOf :many
SELECT * FROM permissions WHERE state = 'open' AND channel_id = sqlc.arg(channel_id) AND tool = sqlc.arg(tool)
ORDER BY asked_at, id;

-- name: Handles :many
SELECT id, handle, deleted_at FROM bindings WHERE channel_id = sqlc.arg(channel_id) ORDER BY created_at, id;

-- name: SumSavings :many
SELECT v.kind, CAST(sum(v.fault = '') AS INTEGER) AS times, CAST(sum(v.fault <> '') AS INTEGER) AS faults,
    CAST(sum(iif(v.fault = '', v.chars, 0)) AS INTEGER) AS chars, CAST(sum(iif(v.fault = '', v.lines, 0)) AS INTEGER) AS lines,
    CAST(sum(iif(v.fault = '', v.tokens, 0)) AS INTEGER) AS tokens
FROM turns AS t JOIN run_savings AS v ON v.run_id = t.run_id
WHERE t.channel_id = sqlc.arg(channel_id) AND t.ended_at >= sqlc.arg(from_at) AND t.ended_at < sqlc.arg(to_at)
GROUP BY v.kind ORDER BY v.kind;
