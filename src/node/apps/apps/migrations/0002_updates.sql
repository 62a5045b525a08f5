-- Which set of volumes an app runs on: an update runs on a copy, and the way back is the set before.
ALTER TABLE apps ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
ALTER TABLE app_trash ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;

-- Two more kinds of work.
ALTER TABLE apps RENAME COLUMN work TO former_work;
ALTER TABLE apps ADD COLUMN work TEXT CHECK (work IN ('install', 'start', 'stop', 'restart', 'uninstall', 'update',
  'rollback'));
UPDATE apps SET work = former_work;
ALTER TABLE apps DROP COLUMN former_work;

-- The latest update of each app, or way back from one: where it stands, or how it ended.
CREATE TABLE app_updates (
  app_id TEXT PRIMARY KEY REFERENCES apps (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('update', 'rollback')),
  op_id TEXT NOT NULL,
  -- What the app was, and what it becomes one after the other, as JSON.
  before TEXT NOT NULL,
  hops TEXT NOT NULL,
  -- Whether it ran, and is to run again.
  was_up INTEGER NOT NULL,
  -- The step that is next, and for which of the hops.
  step TEXT NOT NULL,
  hop INTEGER NOT NULL,
  -- Why it went back, as JSON.
  failure TEXT,
  started_at TEXT NOT NULL,
  down_at INTEGER,
  down_ms INTEGER,
  ended_at TEXT
) STRICT;

-- What an app was before an update, or before the way back, with its volumes. Not bound to apps: volumes outlive them.
CREATE TABLE app_kept (
  app_id TEXT NOT NULL,
  generation INTEGER NOT NULL,
  side TEXT NOT NULL,
  can_return INTEGER NOT NULL,
  kept_until TEXT NOT NULL,
  PRIMARY KEY (app_id, generation)
) STRICT, WITHOUT ROWID;
