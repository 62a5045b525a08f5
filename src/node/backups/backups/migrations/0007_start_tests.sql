-- What came of starting a copy of an app from its newest backup.
CREATE TABLE backup_start_tests (
  app_id TEXT PRIMARY KEY,
  backup_id TEXT NOT NULL,
  -- answered, failed or skipped.
  outcome TEXT NOT NULL,
  -- Why it did not answer, or was not started.
  cause TEXT,
  tried_at TEXT NOT NULL,
  -- When it last answered.
  answered_at TEXT
) STRICT;
