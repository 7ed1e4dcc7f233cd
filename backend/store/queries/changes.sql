-- name: Changes :many
SELECT * FROM run_changes WHERE run_id = sqlc.arg(run_id) ORDER BY n;

-- name: ChangeOf :one
SELECT * FROM run_changes WHERE path = sqlc.arg(path) AND run_id = sqlc.arg(run_id);

-- name: NextChange :one
SELECT CAST(coalesce(max(n) + 1, 0) AS INTEGER) FROM run_changes WHERE run_id = sqlc.arg(run_id);

-- name: PutChange :exec
INSERT INTO run_changes (run_id, n, path, before_hash, before_size, after_hash, after_size, mode, form, added, removed, mixed, at)
VALUES (sqlc.arg(run_id), sqlc.arg(n), sqlc.arg(path), sqlc.arg(before_hash), sqlc.arg(before_size), sqlc.arg(after_hash),
    sqlc.arg(after_size), sqlc.arg(mode), sqlc.arg(form), sqlc.arg(added), sqlc.arg(removed), sqlc.arg(mixed), sqlc.arg(at))
ON CONFLICT (run_id, n) DO UPDATE
SET after_hash = excluded.after_hash, after_size = excluded.after_size, mode = excluded.mode, form = excluded.form,
    added = excluded.added, removed = excluded.removed, mixed = excluded.mixed, at = excluded.at;

-- name: DeleteChange :exec
DELETE FROM run_changes WHERE run_id = sqlc.arg(run_id) AND n = sqlc.arg(n);

-- name: SumChanges :exec
UPDATE runs
SET changed_files = (SELECT count(*) FROM run_changes AS c WHERE c.run_id = runs.id),
    changed_added = (SELECT coalesce(sum(c.added), 0) FROM run_changes AS c WHERE c.run_id = runs.id),
    changed_removed = (SELECT coalesce(sum(c.removed), 0) FROM run_changes AS c WHERE c.run_id = runs.id),
    changed_undone = (SELECT count(*) FROM run_changes AS c WHERE c.run_id = runs.id AND c.undone_at > 0)
WHERE runs.id = sqlc.arg(id);

-- name: LaterChanges :many
SELECT run_changes.path, runs.id, runs.binding_id FROM run_changes JOIN runs ON runs.id = run_changes.run_id
WHERE run_changes.path IN (SELECT value FROM json_each(CAST(sqlc.arg(paths) AS TEXT)))
    AND run_changes.at > sqlc.arg(after) AND run_changes.run_id <> sqlc.arg(run_id) AND run_changes.undone_at = 0
ORDER BY run_changes.at, runs.id LIMIT sqlc.arg(most);

-- name: MoveChange :exec
UPDATE run_changes SET going = sqlc.arg(going), over_hash = sqlc.arg(over_hash), over_size = sqlc.arg(over_size)
WHERE run_id = sqlc.arg(run_id) AND n = sqlc.arg(n);

-- name: SettleChange :exec
UPDATE run_changes SET going = 0, undone_at = sqlc.arg(undone_at), over_hash = sqlc.arg(over_hash), over_size = sqlc.arg(over_size)
WHERE run_id = sqlc.arg(run_id) AND n = sqlc.arg(n);

-- name: MovingChanges :many
SELECT * FROM run_changes WHERE going <> 0 ORDER BY run_id, n;

-- name: PutChangeText :exec
INSERT INTO change_texts (hash, text, at) VALUES (sqlc.arg(hash), sqlc.arg(text), sqlc.arg(at))
ON CONFLICT (hash) DO UPDATE SET at = excluded.at;

-- name: KnowsChangeText :one
SELECT EXISTS (SELECT 1 FROM change_texts WHERE hash = sqlc.arg(hash));

-- name: TouchChangeText :exec
UPDATE change_texts SET at = CAST(sqlc.arg(at) AS INTEGER) WHERE hash = sqlc.arg(hash);

-- name: ChangeText :one
SELECT text FROM change_texts WHERE hash = sqlc.arg(hash);

-- name: ForgetChangeTexts :exec
DELETE FROM change_texts WHERE at < sqlc.arg(before);
