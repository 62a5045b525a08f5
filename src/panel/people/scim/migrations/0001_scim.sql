-- By what a directory proves that it speaks for a workspace.
CREATE TABLE scim_tokens (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  token_hash TEXT NOT NULL,
  -- The last characters of it, by which people tell it from others.
  hint TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER,
  PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX scim_tokens_by_hash ON scim_tokens (token_hash);

-- What a directory says of the members that it keeps.
CREATE TABLE scim_users (
  tenant_id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  -- Compared without regard to case, and kept as it was said.
  user_name TEXT NOT NULL,
  user_key TEXT NOT NULL,
  external_id TEXT,
  email TEXT NOT NULL,
  display_name TEXT NOT NULL,
  given_name TEXT,
  family_name TEXT,
  -- 'off' for whom the directory turned off, and 'gone' for whom it forgot: those alone it may bring back.
  state TEXT NOT NULL DEFAULT 'on' CHECK (state IN ('on', 'off', 'gone')),
  -- 1 when a group gave them their role.
  has_group_role INTEGER NOT NULL DEFAULT 0 CHECK (has_group_role IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, member_id),
  FOREIGN KEY (tenant_id, member_id) REFERENCES members (tenant_id, id) ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX scim_users_by_key ON scim_users (tenant_id, user_key) WHERE state <> 'gone';
CREATE INDEX scim_users_by_external ON scim_users (tenant_id, external_id);

-- Groups of a directory, and what being in one makes somebody here.
CREATE TABLE scim_groups (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  id TEXT NOT NULL,
  external_id TEXT,
  display_name TEXT NOT NULL,
  display_key TEXT NOT NULL,
  role TEXT CHECK (role IN ('org_admin', 'org_manager', 'org_viewer', 'org_teacher')),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX scim_groups_by_key ON scim_groups (tenant_id, display_key);

CREATE TABLE scim_group_members (
  tenant_id TEXT NOT NULL,
  group_id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  PRIMARY KEY (tenant_id, group_id, member_id),
  FOREIGN KEY (tenant_id, group_id) REFERENCES scim_groups (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, member_id) REFERENCES members (tenant_id, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX scim_group_members_by_member ON scim_group_members (tenant_id, member_id);
