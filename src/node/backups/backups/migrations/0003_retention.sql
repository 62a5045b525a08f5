-- JSON: how many backups stay at the target of the schedule; null when all do.
ALTER TABLE backup_schedule ADD COLUMN keep TEXT;

-- 1 when a backup may go: it is listed no more, and is removed from its target next. 2 when that is done.
ALTER TABLE backups ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;
