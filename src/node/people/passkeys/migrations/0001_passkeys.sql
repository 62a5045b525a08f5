CREATE TABLE passkeys (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  -- base64url, as the browser names it.
  credential_id TEXT NOT NULL UNIQUE,
  -- COSE key.
  public_key BLOB NOT NULL,
  counter INTEGER NOT NULL,
  -- JSON list, a hint for the browser.
  transports TEXT NOT NULL,
  rp_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  last_used_at TEXT
) STRICT;
CREATE INDEX passkeys_user ON passkeys (user_id);
