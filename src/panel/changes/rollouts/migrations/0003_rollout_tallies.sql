-- What lists tell of rollouts: to go through all of their nodes and lines would take seconds.
CREATE TABLE rollout_counts (
  tenant_id TEXT NOT NULL,
  rollout_id TEXT NOT NULL,
  stage INTEGER NOT NULL,
  -- How many nodes of the stage are in this state.
  state TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, rollout_id, stage, state),
  FOREIGN KEY (tenant_id, rollout_id) REFERENCES rollouts (tenant_id, id) ON DELETE CASCADE
) STRICT;
INSERT INTO rollout_counts (tenant_id, rollout_id, stage, state, count)
  SELECT tenant_id, rollout_id, stage, state, count(*) FROM rollout_nodes GROUP BY tenant_id, rollout_id, stage, state;

CREATE TABLE rollout_stage_starts (
  tenant_id TEXT NOT NULL,
  rollout_id TEXT NOT NULL,
  stage INTEGER NOT NULL,
  -- When it began, the last time that it did.
  at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, rollout_id, stage),
  FOREIGN KEY (tenant_id, rollout_id) REFERENCES rollouts (tenant_id, id) ON DELETE CASCADE
) STRICT;
INSERT INTO rollout_stage_starts (tenant_id, rollout_id, stage, at)
  SELECT tenant_id, rollout_id, stage, max(at) FROM rollout_timeline WHERE kind = 'stage_started'
  GROUP BY tenant_id, rollout_id, stage;
