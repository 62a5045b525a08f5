-- Second factors of members that are about to be taken off, because somebody who manages the team asked for it.
CREATE TABLE factor_resets (
  tenant_id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  -- The member who asked.
  asked_by TEXT NOT NULL,
  asked_at INTEGER NOT NULL,
  effective_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, member_id),
  FOREIGN KEY (tenant_id, member_id) REFERENCES members (tenant_id, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX factor_resets_by_account ON factor_resets (account_id);
CREATE INDEX factor_resets_by_time ON factor_resets (effective_at);
