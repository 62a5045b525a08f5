-- The change of components that is under way, so that a start after a crash can go on with it or undo it. At most one row.
CREATE TABLE component_work (
  op_id TEXT PRIMARY KEY,
  -- JSON of the plan as it was shown.
  plan TEXT NOT NULL,
  -- JSON of packages and units before anything was changed, null until the system was asked.
  before TEXT,
  -- JSON list of the steps that are over.
  done TEXT NOT NULL,
  -- JSON of the failure that made it turn back, null while it goes forward.
  failure TEXT,
  -- When it began to wait for apt, null while it does not wait.
  waits_since INTEGER
) STRICT;
