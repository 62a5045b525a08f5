-- The deploy of a Compose project that is under way, so that a start after a crash can end it or undo it. At most one row a project.
CREATE TABLE compose_deploys (
  project TEXT PRIMARY KEY,
  op_id TEXT NOT NULL,
  -- 1 when the new containers are up and only what is left over has to go, 0 while it can be undone.
  is_decided INTEGER NOT NULL,
  -- JSON of the containers and networks before anything was changed.
  before TEXT NOT NULL
) STRICT;
