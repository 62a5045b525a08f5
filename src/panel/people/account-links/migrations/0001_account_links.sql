-- Links that let whoever holds one choose the password of an account, once.
CREATE TABLE account_links (
  -- SHA-256 as hex: the token itself stands in the link alone.
  hash TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK (kind IN ('invite', 'reset')),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX account_links_by_account ON account_links (account_id);
