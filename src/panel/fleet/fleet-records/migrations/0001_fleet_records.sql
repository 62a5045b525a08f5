-- How a fleet stood at the full hour.
CREATE TABLE fleet_snapshots (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  at INTEGER NOT NULL,
  total INTEGER NOT NULL,
  online INTEGER NOT NULL,
  degraded INTEGER NOT NULL,
  offline INTEGER NOT NULL,
  -- MSP clients that have nodes, and groups.
  clients INTEGER NOT NULL,
  node_groups INTEGER NOT NULL,
  -- Nodes with something worse than a note.
  incidents INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, at)
) STRICT;

-- Processor use over all nodes that report: by the minute while it is fresh, then by the quarter of an hour.
CREATE TABLE fleet_cpu (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  span_ms INTEGER NOT NULL,
  at INTEGER NOT NULL,
  nodes INTEGER NOT NULL,
  p50 REAL NOT NULL,
  p95 REAL NOT NULL,
  PRIMARY KEY (tenant_id, span_ms, at)
) STRICT;
CREATE INDEX fleet_cpu_by_age ON fleet_cpu (span_ms, at);
CREATE INDEX fleet_snapshots_by_age ON fleet_snapshots (at);
