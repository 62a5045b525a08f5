-- Attempts that a person asked for use up none of the automatic ones.
ALTER TABLE webhook_deliveries ADD COLUMN manual_tries INTEGER NOT NULL DEFAULT 0;
-- When an automatic attempt was due before a person asked for one in between; milliseconds, null when none was.
ALTER TABLE webhook_deliveries ADD COLUMN resume_at INTEGER;
