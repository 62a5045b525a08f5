-- Second factors belong to people, not to workspaces.
CREATE TABLE totp (
  account_id TEXT PRIMARY KEY REFERENCES accounts (id),
  -- Sealed, base 32 inside.
  secret TEXT NOT NULL,
  -- Null until the first code proves that the app holds the secret.
  enabled_at INTEGER,
  -- Number of the last 30-second step whose code was accepted, because a code is good once.
  last_step INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE recovery_codes (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  hash TEXT NOT NULL,
  PRIMARY KEY (account_id, hash)
) STRICT;

CREATE TABLE security_keys (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  -- base64url, as the browser names it.
  credential_id TEXT NOT NULL UNIQUE,
  -- COSE key, base64url.
  public_key TEXT NOT NULL,
  counter INTEGER NOT NULL,
  -- JSON list, a hint for the browser.
  transports TEXT NOT NULL,
  rp_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;
CREATE INDEX security_keys_by_account ON security_keys (account_id);
