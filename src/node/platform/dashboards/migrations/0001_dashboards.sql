CREATE TABLE dashboards (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  type TEXT NOT NULL CHECK (type IN ('server', 'personal')),
  version INTEGER NOT NULL,
  -- JSON list of widgets.
  layout TEXT NOT NULL,
  PRIMARY KEY (user_id, type)
) STRICT;
