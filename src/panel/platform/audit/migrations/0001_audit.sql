CREATE TABLE audit_entries (
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- Who did it: the membership, and the account behind it, because memberships can go.
  member_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  action TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  -- JSON object with what else there is to say.
  details TEXT NOT NULL,
  ip TEXT NOT NULL,
  PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE INDEX audit_entries_by_member ON audit_entries (tenant_id, member_id);
