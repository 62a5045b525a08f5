-- The users table belongs to a later feature, so user_id carries no foreign key.
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  device TEXT NOT NULL,
  ip TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  locked_at INTEGER,
  revoked_at INTEGER
) STRICT;
CREATE INDEX sessions_user ON sessions (user_id);

CREATE TABLE refresh_tokens (
  hash TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  rotated_at INTEGER
) STRICT;
CREATE INDEX refresh_tokens_session ON refresh_tokens (session_id);
