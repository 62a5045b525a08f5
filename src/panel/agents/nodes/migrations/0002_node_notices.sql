-- What somebody should look at: a node came from other hardware. A row goes when somebody says that they know.
CREATE TABLE node_notices (
  tenant_id TEXT NOT NULL,
  -- Another one each time it happens, so that nobody puts away what they have not seen.
  id TEXT NOT NULL,
  node_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('taken_over', 'moved', 'hardware_changed')),
  -- Where it came from the last time, empty when nobody knows.
  address TEXT NOT NULL,
  first_at INTEGER NOT NULL,
  at INTEGER NOT NULL,
  times INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, node_id, kind),
  FOREIGN KEY (tenant_id, node_id) REFERENCES nodes (tenant_id, id)
) STRICT;
