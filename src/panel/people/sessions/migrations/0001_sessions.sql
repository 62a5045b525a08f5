CREATE TABLE sessions (
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  created_at INTEGER NOT NULL,
  -- Its tokens run out but cannot be renewed: another session took its place.
  replaced_at INTEGER,
  -- Its tokens are refused at once.
  ended_at INTEGER,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, member_id) REFERENCES members (tenant_id, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX sessions_by_account ON sessions (account_id);
CREATE INDEX sessions_by_member ON sessions (tenant_id, member_id);
