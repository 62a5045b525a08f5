-- 1 when buckets and Drives were to be in it.
ALTER TABLE backups ADD COLUMN include_objects INTEGER NOT NULL DEFAULT 0;
-- JSON: sentences on what people should know of a backup that completed.
ALTER TABLE backups ADD COLUMN notes TEXT NOT NULL DEFAULT '[]';

-- What was done to an app that stands still: stop or pause.
ALTER TABLE backup_halts ADD COLUMN mode TEXT NOT NULL DEFAULT 'stop';

-- How the data of an app is copied, where somebody chose that: none, pause or stop. Without a row its template says so.
CREATE TABLE backup_policies (
  app_id TEXT PRIMARY KEY,
  mode TEXT NOT NULL
) STRICT;
