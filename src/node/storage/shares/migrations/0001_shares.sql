-- Links to files and folders of the Drive, for people without an account here.
CREATE TABLE drive_shares (
  id TEXT PRIMARY KEY,
  -- SHA-256 of the secret in the address, in hex.
  token_hash TEXT NOT NULL UNIQUE,
  -- The secret itself, sealed, so that whoever made the link can copy it again.
  token_sealed TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  node_id TEXT NOT NULL REFERENCES drive_nodes (id) ON DELETE CASCADE,
  mode TEXT NOT NULL CHECK (mode IN ('read', 'write', 'drop')),
  password_hash TEXT,
  expires_at INTEGER,
  -- Null is no limit.
  max_downloads INTEGER,
  downloads INTEGER NOT NULL DEFAULT 0,
  uploads INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;

CREATE INDEX drive_shares_nodes ON drive_shares (node_id);
CREATE INDEX drive_shares_users ON drive_shares (user_id, id);
