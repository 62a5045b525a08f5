-- Who was asked to join a workspace.
CREATE TABLE invitations (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  id TEXT NOT NULL,
  -- Lower case.
  email TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('org_owner', 'org_admin', 'org_manager', 'org_viewer', 'org_teacher')),
  -- A member. Nothing refers to it, because the invitation stays when they leave.
  invited_by TEXT NOT NULL,
  -- SHA-256 as hex of the token in the link that the inviter copied, and of the one in the letter. Null where there is none.
  link_hash TEXT,
  letter_hash TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  accepted_at INTEGER,
  PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX invitations_open ON invitations (tenant_id, email) WHERE accepted_at IS NULL;
CREATE INDEX invitations_by_link ON invitations (link_hash);
CREATE INDEX invitations_by_letter ON invitations (letter_hash);
