-- Whether it was told that no good backup came for long after this one.
ALTER TABLE backups ADD COLUMN told_stale INTEGER NOT NULL DEFAULT 0;
