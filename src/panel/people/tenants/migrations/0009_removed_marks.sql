-- Addresses that accounts had before.
CREATE TABLE former_addresses (
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  -- 1: the account had proven that its owner reads what is sent there, or a workspace's own directory or sign-in named it.
  is_proven INTEGER NOT NULL CHECK (is_proven IN (0, 1)),
  -- When the account had it last.
  until INTEGER NOT NULL,
  PRIMARY KEY (account_id, email)
) STRICT;
CREATE INDEX former_addresses_by_email ON former_addresses (email);

-- Everything by which a directory or a sign-on could bring in again whom somebody in a workspace removed.
CREATE TABLE removed_marks (
  tenant_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('address', 'name', 'external_id', 'subject')),
  value TEXT NOT NULL,
  PRIMARY KEY (tenant_id, account_id, kind, value),
  FOREIGN KEY (tenant_id, account_id) REFERENCES removed_members (tenant_id, account_id) ON DELETE CASCADE
) STRICT;
CREATE INDEX removed_marks_by_value ON removed_marks (tenant_id, kind, value);
INSERT INTO removed_marks (tenant_id, account_id, kind, value)
SELECT tenant_id, account_id, 'address', email FROM removed_members;
DROP INDEX removed_members_by_email;
ALTER TABLE removed_members DROP COLUMN email;
