-- name: InsertPermission :exec
INSERT INTO permissions (id, run_id, channel_id, binding_id, tool, input, agent_id, reason, blocked_path, workspace, rules,
    state, asked_at)
VALUES (sqlc.arg(id), sqlc.arg(run_id), sqlc.arg(channel_id), sqlc.arg(binding_id), sqlc.arg(tool), sqlc.arg(input),
    sqlc.arg(agent_id), sqlc.arg(reason), sqlc.arg(blocked_path), sqlc.arg(workspace), sqlc.arg(rules), 'open',
    sqlc.arg(asked_at));

-- name: Permission :one
SELECT * FROM permissions WHERE id = sqlc.arg(id);

-- name: AnswerPermission :exec
UPDATE permissions
SET state = sqlc.arg(state), rule = sqlc.arg(rule), message = sqlc.arg(message), answered_at = sqlc.arg(answered_at)
WHERE id = sqlc.arg(id);

-- name: OpenPermissions :many
SELECT * FROM permissions WHERE state = 'open' ORDER BY asked_at, id;

-- name: NewestOpenPermissions :many
SELECT * FROM permissions
WHERE state = 'open' AND (channel_id = sqlc.arg(channel_id) OR sqlc.arg(channel_id) = '')
ORDER BY asked_at DESC, id DESC LIMIT sqlc.arg(most);

-- name: PermissionsOfChannel :many
SELECT * FROM permissions WHERE channel_id = sqlc.arg(channel_id)
ORDER BY asked_at DESC, id DESC LIMIT sqlc.arg(most);

-- name: PermissionsOfAll :many
SELECT * FROM permissions ORDER BY asked_at DESC, id DESC LIMIT sqlc.arg(most);

-- name: AddRule :exec
INSERT INTO rules (id, binding_id, text, tool, input, created_at)
VALUES (sqlc.arg(id), sqlc.arg(binding_id), sqlc.arg(text), sqlc.arg(tool), sqlc.arg(input), sqlc.arg(created_at))
ON CONFLICT DO NOTHING;

-- name: Rules :many
SELECT id, text, tool, input, created_at FROM rules WHERE binding_id = sqlc.arg(binding_id) ORDER BY created_at, text, tool, input;

-- name: RemoveRule :execrows
DELETE FROM rules WHERE binding_id = sqlc.arg(binding_id) AND id = sqlc.arg(id);

-- name: ForgetRules :exec
DELETE FROM rules WHERE binding_id = sqlc.arg(binding_id);
