CREATE TABLE backup_targets (
  id TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  name TEXT NOT NULL UNIQUE,
  path TEXT NOT NULL UNIQUE,
  -- The key of the repository and that of its recovery kit, sealed.
  repository_key TEXT NOT NULL,
  kit_key TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;

CREATE TABLE backups (
  id TEXT PRIMARY KEY,
  target TEXT NOT NULL REFERENCES backup_targets (id) ON DELETE CASCADE,
  -- JSON: ids of apps.
  apps TEXT NOT NULL,
  include_config INTEGER NOT NULL,
  -- in_progress, completed or failed.
  status TEXT NOT NULL,
  cause TEXT,
  op_id TEXT NOT NULL,
  started_at TEXT NOT NULL,
  finished_at TEXT,
  size_bytes INTEGER NOT NULL DEFAULT 0,
  added_bytes INTEGER NOT NULL DEFAULT 0,
  -- When all of it was last read back and its databases were opened.
  verified_at TEXT,
  -- What the latest try found wrong, null when nothing.
  damage TEXT
) STRICT;

-- Apps that stand still for a backup or a restore, and are started again whatever comes of it.
CREATE TABLE backup_halts (
  app_id TEXT PRIMARY KEY,
  op_id TEXT NOT NULL
) STRICT;

-- Apps whose volumes are being replaced: a restore that was cut off begins again.
CREATE TABLE backup_restores (
  app_id TEXT PRIMARY KEY,
  backup_id TEXT NOT NULL REFERENCES backups (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  ip TEXT NOT NULL
) STRICT;

CREATE TABLE backup_schedule (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  target TEXT NOT NULL REFERENCES backup_targets (id) ON DELETE CASCADE,
  hour INTEGER NOT NULL,
  minute INTEGER NOT NULL,
  -- Milliseconds since 1970: what was due before it has been seen to.
  seen_at INTEGER NOT NULL
) STRICT;
