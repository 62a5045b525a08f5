CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  -- Lower case.
  email TEXT NOT NULL UNIQUE,
  display_name TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  -- 'admin' for the platform's own staff.
  global_role TEXT CHECK (global_role IN ('admin')),
  email_verified INTEGER NOT NULL DEFAULT 0 CHECK (email_verified IN (0, 1)),
  onboarding_completed INTEGER NOT NULL DEFAULT 0 CHECK (onboarding_completed IN (0, 1)),
  referred_by TEXT,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE tenants (
  tenant_id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  plan TEXT NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'pro', 'team', 'business', 'enterprise')),
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended')),
  mode TEXT NOT NULL DEFAULT 'business' CHECK (mode IN ('business', 'msp', 'family', 'school')),
  mode_chosen INTEGER NOT NULL DEFAULT 0 CHECK (mode_chosen IN (0, 1)),
  parent_tenant_id TEXT REFERENCES tenants (tenant_id),
  require_2fa INTEGER NOT NULL DEFAULT 0 CHECK (require_2fa IN (0, 1)),
  record_terminal_sessions INTEGER NOT NULL DEFAULT 0 CHECK (record_terminal_sessions IN (0, 1)),
  -- Null follows the platform.
  agent_auto_update INTEGER CHECK (agent_auto_update IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE members (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  id TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  role TEXT NOT NULL CHECK (role IN ('org_owner', 'org_admin', 'org_manager', 'org_viewer', 'org_teacher')),
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  last_active_at INTEGER,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, account_id)
) STRICT;
CREATE INDEX members_by_account ON members (account_id);
