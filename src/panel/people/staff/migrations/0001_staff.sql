-- That a workspace lets the staff of the panel in for a while.
CREATE TABLE staff_permits (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  id TEXT NOT NULL,
  -- Why, as whoever gave it said.
  note TEXT NOT NULL,
  -- Nothing refers to it: the record outlives the membership.
  given_by TEXT NOT NULL,
  given_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  -- When it was over, before its time or at it.
  ended_at INTEGER,
  PRIMARY KEY (tenant_id, id)
) STRICT;
-- One at a time.
CREATE UNIQUE INDEX staff_permits_open ON staff_permits (tenant_id) WHERE ended_at IS NULL;

-- Who of the staff came in by one, as a member for that long.
CREATE TABLE staff_visits (
  tenant_id TEXT NOT NULL,
  permit_id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  name TEXT NOT NULL,
  entered_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, permit_id, member_id),
  FOREIGN KEY (tenant_id, permit_id) REFERENCES staff_permits (tenant_id, id) ON DELETE CASCADE
) STRICT;
