CREATE TABLE rollouts (
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('os_version', 'app', 'config')),
  target_version TEXT NOT NULL,
  -- JSON: stages, soak, gates, filter, whether it goes on by itself, action, seed.
  plan TEXT NOT NULL,
  is_legacy INTEGER NOT NULL,
  state TEXT NOT NULL
    CHECK (state IN ('running', 'awaiting_promotion', 'paused', 'completed', 'rolling_back', 'rolled_back')),
  -- From 0.
  stage INTEGER NOT NULL,
  is_started INTEGER NOT NULL,
  -- Whether there is anything left to follow, nodes that have yet to go back included.
  is_open INTEGER NOT NULL,
  -- JSON: what the engine keeps besides.
  progress TEXT NOT NULL,
  -- Rises with every step, so that of two panels one is late.
  version INTEGER NOT NULL,
  nodes INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE INDEX rollouts_open ON rollouts (is_open, tenant_id);

-- Who takes part, frozen when it began.
CREATE TABLE rollout_nodes (
  tenant_id TEXT NOT NULL,
  rollout_id TEXT NOT NULL,
  -- Place in the order, from 0.
  rank INTEGER NOT NULL,
  node_id TEXT NOT NULL,
  stage INTEGER NOT NULL,
  hostname TEXT NOT NULL,
  from_version TEXT NOT NULL,
  -- What the app is called there, for changes of one app.
  app_id TEXT,
  has_cpu INTEGER NOT NULL,
  state TEXT NOT NULL,
  -- In the rollout's own time, which stands still while nobody watches.
  since_ms INTEGER NOT NULL,
  done_at INTEGER,
  is_excused INTEGER NOT NULL,
  is_away INTEGER NOT NULL,
  detail TEXT,
  -- The command with the change, and the one that takes it back.
  command_id TEXT,
  revert_id TEXT,
  PRIMARY KEY (tenant_id, rollout_id, rank),
  UNIQUE (tenant_id, rollout_id, node_id),
  UNIQUE (tenant_id, command_id),
  UNIQUE (tenant_id, revert_id),
  FOREIGN KEY (tenant_id, rollout_id) REFERENCES rollouts (tenant_id, id),
  FOREIGN KEY (tenant_id, node_id) REFERENCES nodes (tenant_id, id)
) STRICT;
CREATE INDEX rollout_nodes_by_node ON rollout_nodes (tenant_id, node_id);

-- How it came from one state to the next.
CREATE TABLE rollout_timeline (
  tenant_id TEXT NOT NULL,
  rollout_id TEXT NOT NULL,
  no INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  stage INTEGER NOT NULL,
  text TEXT NOT NULL,
  from_state TEXT NOT NULL,
  to_state TEXT NOT NULL,
  -- The member whose doing it was. Null for what happened by itself.
  member_id TEXT,
  -- What the member said about it.
  comment TEXT,
  PRIMARY KEY (tenant_id, rollout_id, no),
  FOREIGN KEY (tenant_id, rollout_id) REFERENCES rollouts (tenant_id, id)
) STRICT;
