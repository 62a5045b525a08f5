-- What each node last measured, written now and then, and its status, written with every change of it.
CREATE TABLE node_figures (
  no INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  last_seen INTEGER NOT NULL,
  cpu REAL,
  memory REAL,
  disk REAL,
  net_in REAL,
  net_out REAL,
  uptime_seconds REAL,
  critical INTEGER NOT NULL CHECK (critical IN (0, 1)),
  status TEXT NOT NULL DEFAULT 'pending',
  -- Why it has that status, as JSON.
  reasons TEXT NOT NULL DEFAULT '[]'
) STRICT;

-- Every change of a node's status.
CREATE TABLE node_transitions (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  node_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  from_status TEXT NOT NULL,
  to_status TEXT NOT NULL,
  reasons TEXT NOT NULL,
  PRIMARY KEY (tenant_id, node_id, at)
) STRICT;
CREATE INDEX node_transitions_by_time ON node_transitions (tenant_id, at);
CREATE INDEX node_transitions_by_age ON node_transitions (at);
