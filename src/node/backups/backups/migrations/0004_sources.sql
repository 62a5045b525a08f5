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

-- What is backed up by itself, and when.
CREATE TABLE backup_plans (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  target TEXT NOT NULL REFERENCES backup_targets (id) ON DELETE CASCADE,
  enabled INTEGER NOT NULL,
  -- The five fields of cron, in the zone of the machine, and how many minutes later it may begin.
  cron TEXT NOT NULL,
  jitter_minutes INTEGER NOT NULL,
  -- JSON: ids of apps. Null: all that are installed then.
  apps TEXT,
  include_config INTEGER NOT NULL,
  -- JSON: how many of its backups stay. Null: all.
  keep TEXT,
  -- Milliseconds since 1970: what was due before it has been seen to.
  seen_at INTEGER NOT NULL
) STRICT;

INSERT INTO backup_plans (id, name, target, enabled, cron, jitter_minutes, apps, include_config, keep, seen_at)
SELECT 'bpl_first', 'Every day', target, 1, minute || ' ' || hour || ' * * *', 0, NULL, 1, keep, seen_at
FROM backup_schedule;
DROP TABLE backup_schedule;

-- Which plan made it, null where somebody asked for it.
ALTER TABLE backups ADD COLUMN plan TEXT;

-- Which seventh of a target is read next, and when one was last: milliseconds since 1970.
ALTER TABLE backup_targets ADD COLUMN share INTEGER NOT NULL DEFAULT 0;
ALTER TABLE backup_targets ADD COLUMN checked_at INTEGER NOT NULL DEFAULT 0;
