-- How services of apps ended unasked, with the last lines that they wrote, as JSON: containers and their logs go, this stays.
CREATE TABLE app_crashes (
  id INTEGER PRIMARY KEY,
  app_id TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  service TEXT NOT NULL,
  at TEXT NOT NULL,
  exit_code INTEGER,
  is_oom INTEGER NOT NULL,
  cause TEXT NOT NULL,
  lines TEXT NOT NULL
) STRICT;
CREATE INDEX app_crashes_by_app ON app_crashes (app_id, id);
