-- Somebody said that they know of the alerts of one rule in one region that began from `from_at` to `to_at`, all nodes or one.
-- What begins later is news, also when it is the same node again.
CREATE TABLE alert_acknowledgements (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  id TEXT NOT NULL,
  rule TEXT NOT NULL,
  -- Empty for nodes without one.
  region TEXT NOT NULL,
  -- Empty for all of them.
  node_id TEXT NOT NULL,
  from_at INTEGER NOT NULL,
  to_at INTEGER NOT NULL,
  member_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id)
) STRICT;
