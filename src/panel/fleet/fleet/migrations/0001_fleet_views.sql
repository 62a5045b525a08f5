CREATE TABLE fleet_views (
  tenant_id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  -- JSON list of names and queries, in the member's own order.
  views TEXT NOT NULL,
  PRIMARY KEY (tenant_id, member_id),
  FOREIGN KEY (tenant_id, member_id) REFERENCES members (tenant_id, id) ON DELETE CASCADE
) STRICT;
