-- Accounts of the panel that have been here, and who they are on this node.
CREATE TABLE panel_accounts (
  account_id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  linked_at TEXT NOT NULL
) STRICT;

-- Identities that were used, until they would have run out by themselves.
CREATE TABLE panel_identities_used (
  id TEXT PRIMARY KEY,
  until INTEGER NOT NULL
) STRICT;
