-- Whether the node told how its own requests went when the rollout began.
ALTER TABLE rollout_nodes ADD COLUMN has_error_rate INTEGER NOT NULL DEFAULT 0;
