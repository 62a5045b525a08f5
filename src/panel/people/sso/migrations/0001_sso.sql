-- Where the people of a workspace sign in: a provider of OpenID Connect.
CREATE TABLE sso_connectors (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  id TEXT NOT NULL,
  -- As the page of signing in calls it.
  name TEXT NOT NULL,
  issuer TEXT NOT NULL,
  oidc_client TEXT NOT NULL,
  -- Null for a client without one.
  sealed_secret TEXT,
  -- Where the provider tells groups or roles, and what they are here, as JSON, and null where roles are given by hand.
  role_claim TEXT,
  role_rules TEXT NOT NULL DEFAULT '[]',
  -- For whom no rule fits, and null lets them not in.
  default_role TEXT CHECK (default_role IN ('org_admin', 'org_manager', 'org_viewer', 'org_teacher')),
  state TEXT NOT NULL DEFAULT 'off' CHECK (state IN ('off', 'on', 'enforced')),
  -- Rises when it is another provider or client: what began before ends, and it has to be tested anew.
  version INTEGER NOT NULL DEFAULT 1,
  tested_version INTEGER NOT NULL DEFAULT 0,
  -- What the last test found, as JSON.
  last_test TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX sso_connectors_by_id ON sso_connectors (id);

-- Who somebody at the provider is here.
CREATE TABLE sso_links (
  tenant_id TEXT NOT NULL,
  connector_id TEXT NOT NULL,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  -- Nothing refers to it: whoever was removed must not come back by the provider as somebody new.
  member_id TEXT NOT NULL,
  linked_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, connector_id, issuer, subject),
  FOREIGN KEY (tenant_id, connector_id) REFERENCES sso_connectors (tenant_id, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX sso_links_by_member ON sso_links (tenant_id, member_id);

-- Domains of mail addresses that a workspace says are its own.
CREATE TABLE sso_domains (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  id TEXT NOT NULL,
  host TEXT NOT NULL,
  -- What has to stand in the DNS of the domain.
  token TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- Null while nobody has proven it.
  verified_at INTEGER,
  checked_at INTEGER,
  -- Since when the proof is missing.
  failing_since INTEGER,
  PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX sso_domains_own ON sso_domains (tenant_id, host);
-- Anybody may say it of a domain, and one can prove it.
CREATE UNIQUE INDEX sso_domains_verified ON sso_domains (host) WHERE verified_at IS NOT NULL;
