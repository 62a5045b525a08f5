CREATE TABLE paired_devices (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  -- Milliseconds.
  last_used_at INTEGER
) STRICT;
CREATE INDEX paired_devices_user ON paired_devices (user_id);
