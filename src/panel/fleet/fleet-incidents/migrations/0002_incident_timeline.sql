-- What somebody who opens an incident reads, also when its nodes are well again.
ALTER TABLE fleet_incidents ADD COLUMN severity TEXT NOT NULL DEFAULT 'warning';
-- What was wrong with its first node, a sentence without a full stop. Empty for those from before this column.
ALTER TABLE fleet_incidents ADD COLUMN title TEXT NOT NULL DEFAULT '';
-- Who said last that they know of it, and when.
ALTER TABLE fleet_incidents ADD COLUMN known_by TEXT;
ALTER TABLE fleet_incidents ADD COLUMN known_at INTEGER;
CREATE TABLE fleet_incident_nodes (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  incident_id TEXT NOT NULL,
  node_id TEXT NOT NULL,
  -- When it began on this node.
  since INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, incident_id, node_id)
) STRICT;
-- What happened to an incident, and what people wrote about it.
CREATE TABLE fleet_incident_entries (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  incident_id TEXT NOT NULL,
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  -- Empty where nobody did it.
  member_id TEXT NOT NULL DEFAULT '',
  text TEXT NOT NULL DEFAULT '',
  nodes INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, incident_id, id)
) STRICT;
