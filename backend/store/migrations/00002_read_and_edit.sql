-- +goose Up

-- How far the owner has read: the newest row they were shown (its id, its time). A row after it that they did not write is
-- unread. What was there before this was counted counts as read.
-- revised_at: when a row of the channel was last edited or deleted. A turn that was composed before it is composed anew.
ALTER TABLE channels ADD COLUMN read_id TEXT NOT NULL DEFAULT '';
ALTER TABLE channels ADD COLUMN read_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE channels ADD COLUMN revised_at INTEGER NOT NULL DEFAULT 0;

ALTER TABLE rows ADD COLUMN edited_at INTEGER NOT NULL DEFAULT 0;

-- A channel's rows with those of its threads among them.
CREATE INDEX rows_channel ON rows (channel_id, created_at);

-- Those of others alone, so that a count of the unread ones walks past none of the owner's. It reads this index alone.
CREATE INDEX rows_others ON rows (channel_id, created_at, kind, handle) WHERE kind <> 'user' OR handle <> '';

-- What a row has caused, asked before it is edited or deleted.
CREATE INDEX runs_row ON runs (row_id) WHERE row_id <> '';

UPDATE channels
SET read_at = last_at, read_id = coalesce((SELECT id FROM rows WHERE channel_id = channels.id ORDER BY created_at DESC LIMIT 1), '');
