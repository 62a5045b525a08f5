-- The panel that this node belongs to, if any.
CREATE TABLE panel_link (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- Another one for every time the node was connected or disconnected, by whichever process.
  revision TEXT NOT NULL,
  instance_id TEXT NOT NULL,
  agent_url TEXT NOT NULL,
  panel_url TEXT,
  tenant_id TEXT NOT NULL,
  ca_bundle TEXT NOT NULL,
  -- Certificates and keys, sealed.
  credentials TEXT NOT NULL,
  -- What node and panel share, sealed.
  secret TEXT NOT NULL,
  license_token TEXT NOT NULL,
  certificate_end INTEGER NOT NULL,
  renew_at INTEGER NOT NULL,
  ended TEXT CHECK (ended IN ('disconnected', 'needs_new_token', 'deleted')),
  ended_reason TEXT,
  changed_by TEXT NOT NULL,
  changed_from TEXT NOT NULL,
  changed_at INTEGER NOT NULL,
  -- 0 until the running node has told about the change.
  announced INTEGER NOT NULL CHECK (announced IN (0, 1)),
  last_heartbeat_at INTEGER
) STRICT;

-- Commands of the panel, kept so that none is carried out twice and every result arrives.
CREATE TABLE panel_commands (
  id TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  generation INTEGER NOT NULL,
  payload TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'refused')),
  output TEXT,
  error TEXT,
  received_at INTEGER NOT NULL,
  finished_at INTEGER,
  -- 1 once the panel has acknowledged the status.
  is_told INTEGER NOT NULL CHECK (is_told IN (0, 1))
) STRICT;
CREATE INDEX panel_commands_untold ON panel_commands (received_at) WHERE is_told = 0;

-- The highest generation seen of each type, by workspace.
CREATE TABLE panel_generations (
  tenant_id TEXT NOT NULL,
  type TEXT NOT NULL,
  generation INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, type)
) STRICT;
