CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  -- `*` or a sorted list separated by commas.
  scopes TEXT NOT NULL,
  -- SHA-256 of the random part: the signature is checked before anything is looked up.
  secret_hash TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  -- Milliseconds, null never.
  expires_at INTEGER,
  last_used_at INTEGER
) STRICT;
CREATE INDEX api_keys_user ON api_keys (user_id);
