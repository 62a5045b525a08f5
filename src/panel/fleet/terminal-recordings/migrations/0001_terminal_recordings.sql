-- What terminals on nodes have shown. The bytes stand in files, a chunk after the other, each sealed under the key of its row.
CREATE TABLE terminal_recordings (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  id TEXT NOT NULL,
  node_id TEXT NOT NULL,
  -- Empty for the server itself.
  app TEXT NOT NULL,
  -- Nothing refers to it: the record outlives the membership.
  member_id TEXT NOT NULL,
  -- As they were called then.
  who TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL DEFAULT 0,
  -- As stored.
  bytes INTEGER NOT NULL DEFAULT 0,
  chunks INTEGER NOT NULL DEFAULT 0,
  -- SHA-256 over all chunks up to here, each with what came before it.
  chain TEXT NOT NULL DEFAULT '',
  sealed_key TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'whole', 'truncated')),
  PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE INDEX terminal_recordings_by_node ON terminal_recordings (tenant_id, node_id, started_at);
CREATE INDEX terminal_recordings_by_age ON terminal_recordings (started_at);
CREATE INDEX terminal_recordings_open ON terminal_recordings (tenant_id) WHERE state = 'open';
