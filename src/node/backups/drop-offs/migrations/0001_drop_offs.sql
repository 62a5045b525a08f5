-- Places here where other servers keep their backups. Keys are known by their digest alone.
CREATE TABLE drop_offs (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  path TEXT NOT NULL,
  key_hash TEXT NOT NULL,
  quota_bytes INTEGER NOT NULL,
  used_bytes INTEGER NOT NULL,
  append_only INTEGER NOT NULL,
  expires_at INTEGER,
  created_at TEXT NOT NULL,
  last_used_at INTEGER
) STRICT;
