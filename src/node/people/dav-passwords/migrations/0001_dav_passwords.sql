-- Passwords for programs that open somebody's Drive over WebDAV.
CREATE TABLE dav_passwords (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  -- HMAC-SHA-256 of the password under a key of this node, in hex: it is long and drawn, so that nothing slower is needed.
  secret_hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  -- The paired device that made it, with which it ends.
  parent_device_id TEXT REFERENCES paired_devices (id) ON DELETE CASCADE
) STRICT;

CREATE INDEX dav_passwords_users ON dav_passwords (user_id);
CREATE INDEX dav_passwords_devices ON dav_passwords (parent_device_id) WHERE parent_device_id IS NOT NULL;
