-- What somebody decided about the newest version of an app: not to be asked again, or to have it installed in the night.
CREATE TABLE app_update_choices (
  app_id TEXT NOT NULL PRIMARY KEY REFERENCES apps (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('skip', 'tonight')),
  version TEXT NOT NULL,
  revision INTEGER NOT NULL,
  permissions TEXT NOT NULL,
  due_at TEXT,
  user_id TEXT NOT NULL,
  ip TEXT NOT NULL
) STRICT, WITHOUT ROWID;
