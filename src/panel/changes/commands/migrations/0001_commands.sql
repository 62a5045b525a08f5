CREATE TABLE commands (
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  node_id TEXT NOT NULL,
  type TEXT NOT NULL,
  -- JSON object.
  payload TEXT NOT NULL,
  generation INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('queued', 'sent', 'running', 'succeeded', 'failed', 'refused', 'cancelled')),
  output TEXT,
  error TEXT,
  -- The membership that asked for it.
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- Without a result by then it has failed.
  expires_at INTEGER NOT NULL,
  sent_at INTEGER,
  finished_at INTEGER,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, node_id) REFERENCES nodes (tenant_id, id)
) STRICT;
CREATE INDEX commands_by_node ON commands (tenant_id, node_id, id);
CREATE INDEX commands_open ON commands (expires_at) WHERE finished_at IS NULL;
CREATE INDEX commands_by_end ON commands (finished_at);

-- A node refuses what was overtaken, so numbers of one kind only rise.
CREATE TABLE command_generations (
  tenant_id TEXT NOT NULL,
  node_id TEXT NOT NULL,
  type TEXT NOT NULL,
  last INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, node_id, type),
  FOREIGN KEY (tenant_id, node_id) REFERENCES nodes (tenant_id, id)
) STRICT;
