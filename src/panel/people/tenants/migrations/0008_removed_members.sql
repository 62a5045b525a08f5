-- Whom somebody in a workspace removed, by account and address: neither may be there any more when the same person comes again.
CREATE TABLE removed_members (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id) ON DELETE CASCADE,
  account_id TEXT NOT NULL,
  email TEXT NOT NULL,
  PRIMARY KEY (tenant_id, account_id)
) STRICT;
CREATE INDEX removed_members_by_email ON removed_members (tenant_id, email);
