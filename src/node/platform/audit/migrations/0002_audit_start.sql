-- The last entry that was forgotten for its age or for the number of entries, so that the chain is checked from there.
CREATE TABLE audit_start (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  -- Keyed hash over both: whoever only has the database cannot have the log begin later.
  mark TEXT NOT NULL
) STRICT;

DROP TRIGGER audit_log_no_delete;
CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log
WHEN OLD.seq > (SELECT coalesce(max(seq), 0) FROM audit_start)
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
