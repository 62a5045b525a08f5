CREATE TABLE totp (
  user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  -- Sealed, base 32 inside.
  secret TEXT NOT NULL,
  -- Null until the first code proves that the app holds the secret.
  enabled_at TEXT,
  -- Number of the last 30-second step whose code was accepted, because a code is good once.
  last_step INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE recovery_codes (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  hash TEXT NOT NULL,
  PRIMARY KEY (user_id, hash)
) STRICT, WITHOUT ROWID;
