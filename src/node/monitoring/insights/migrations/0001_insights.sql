-- What each predictor found when it last ran, as JSON of the wire.
CREATE TABLE insight_runs (
  predictor TEXT PRIMARY KEY,
  scored_at TEXT NOT NULL,
  predictions TEXT NOT NULL
) STRICT;

-- Unexpected ends of the services of apps, by hours since 1970 UTC.
CREATE TABLE app_ends (
  app_id TEXT NOT NULL,
  hour INTEGER NOT NULL,
  restarts INTEGER NOT NULL,
  crashes INTEGER NOT NULL,
  ooms INTEGER NOT NULL,
  PRIMARY KEY (app_id, hour)
) STRICT, WITHOUT ROWID;

-- Since when ends are counted, in milliseconds.
CREATE TABLE app_ends_since (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL) STRICT;

-- What was raised last and still stands, so that it is raised once. Times in milliseconds.
CREATE TABLE insight_alerts (
  predictor TEXT PRIMARY KEY,
  risk_level TEXT NOT NULL,
  raised_at INTEGER NOT NULL,
  is_standing INTEGER NOT NULL
) STRICT;
