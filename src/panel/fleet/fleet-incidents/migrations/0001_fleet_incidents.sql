-- What was wrong with a fleet: one row for a cause, however many nodes it has.
CREATE TABLE fleet_incidents (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  id TEXT NOT NULL,
  -- Rule and region make the cause. The region is empty for nodes without one.
  rule TEXT NOT NULL,
  region TEXT NOT NULL,
  -- How many nodes it had when it was opened, and at most.
  nodes_first INTEGER NOT NULL,
  nodes_most INTEGER NOT NULL,
  since INTEGER NOT NULL,
  opened_at INTEGER NOT NULL,
  escalated_at INTEGER,
  resolved_at INTEGER,
  reopened INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX fleet_incidents_open ON fleet_incidents (tenant_id, rule, region) WHERE resolved_at IS NULL;
CREATE INDEX fleet_incidents_by_age ON fleet_incidents (resolved_at);
