CREATE TABLE operations (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  title TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed')),
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  error TEXT
) STRICT;
CREATE INDEX operations_started ON operations (started_at);

CREATE TABLE operation_events (
  operation_id TEXT NOT NULL REFERENCES operations (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  event TEXT NOT NULL,
  PRIMARY KEY (operation_id, seq)
) STRICT, WITHOUT ROWID;
