-- 1 when buckets and Drives were to be in it.
ALTER TABLE backups ADD COLUMN include_objects INTEGER NOT NULL DEFAULT 0;
-- JSON: sentences on what people should know of a backup that completed.
ALTER TABLE backups ADD COLUMN notes TEXT NOT NULL DEFAULT '[]';
