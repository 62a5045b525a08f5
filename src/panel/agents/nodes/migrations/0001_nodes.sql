-- One row. What changes certificates begins by changing it, so that such changes come one after another.
CREATE TABLE node_counter (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  last_no INTEGER NOT NULL
) STRICT;
INSERT INTO node_counter (one, last_no) VALUES (1, 0);

-- One row: the panel's certificate authority as JSON, its keys sealed.
CREATE TABLE authority (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  record TEXT NOT NULL,
  version INTEGER NOT NULL
) STRICT;

CREATE TABLE node_groups (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  color TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, name)
) STRICT;

CREATE TABLE registration_tokens (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  id TEXT NOT NULL,
  -- SHA-256 as hex: the token itself is shown once.
  hash TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  group_id TEXT,
  tags TEXT NOT NULL DEFAULT '[]',
  uses INTEGER NOT NULL DEFAULT 0,
  max_uses INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, group_id) REFERENCES node_groups (tenant_id, id)
) STRICT;

CREATE TABLE nodes (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  -- The node's own name for itself.
  id TEXT NOT NULL,
  -- Counts nodes of all workspaces, for tables that hold much about each.
  no INTEGER NOT NULL UNIQUE,
  hostname TEXT NOT NULL,
  version TEXT NOT NULL,
  -- Set by hand, null follows what the node reports.
  region TEXT,
  client_id TEXT REFERENCES tenants (tenant_id),
  group_id TEXT,
  tags TEXT NOT NULL DEFAULT '[]',
  -- Where it registered from.
  address TEXT NOT NULL,
  hardware_fingerprint TEXT NOT NULL,
  serial TEXT NOT NULL,
  key_fingerprint TEXT NOT NULL,
  issuer TEXT NOT NULL,
  not_after INTEGER NOT NULL,
  -- Renewed, not used yet.
  pending_serial TEXT,
  pending_key_fingerprint TEXT,
  pending_issuer TEXT,
  pending_not_after INTEGER,
  -- The secret it shares with the panel, sealed.
  secret TEXT NOT NULL,
  -- The bundle of roots it says it trusts.
  ca_id TEXT NOT NULL DEFAULT '',
  registered_at INTEGER NOT NULL,
  -- The first heartbeat ever, and the first one since it last registered.
  first_seen_at INTEGER,
  connected_at INTEGER,
  last_seen_at INTEGER,
  marked_offline INTEGER NOT NULL DEFAULT 0 CHECK (marked_offline IN (0, 1)),
  inventory TEXT,
  inventory_hash TEXT,
  apps TEXT,
  deleted_at INTEGER,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, group_id) REFERENCES node_groups (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX nodes_by_id ON nodes (id) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX nodes_by_key ON nodes (key_fingerprint) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX nodes_by_pending_key ON nodes (pending_key_fingerprint) WHERE deleted_at IS NULL;
CREATE INDEX nodes_by_connection ON nodes (tenant_id, connected_at);
CREATE INDEX nodes_by_group ON nodes (tenant_id, group_id);
