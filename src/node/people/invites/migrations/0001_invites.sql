CREATE TABLE invites (
  user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  token_hash TEXT NOT NULL UNIQUE,
  -- Milliseconds.
  expires_at INTEGER NOT NULL
) STRICT;
