-- How far the objects of the previous store are brought over; one row, and none where there is no such store.
-- error_params is JSON. legacy_port is where its program was started last. legacy_bytes is what its data folder takes. purge: none, going, done.
CREATE TABLE object_migration (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  phase TEXT NOT NULL,
  error_code TEXT,
  error_params TEXT,
  legacy_port INTEGER,
  legacy_bytes INTEGER,
  total INTEGER NOT NULL DEFAULT 0,
  leave_out INTEGER NOT NULL DEFAULT 0,
  is_given_up INTEGER NOT NULL DEFAULT 0,
  started_at INTEGER NOT NULL,
  switched_at INTEGER,
  purge TEXT NOT NULL DEFAULT 'none',
  freed_bytes INTEGER
) STRICT;

-- Its buckets. bucket_id is the one that the objects go to here. after is the key up to which they were compared in this round;
-- copied and bytes are what is here of them, total and total_bytes what was there when it was listed.
-- checked says that all were read back. moved is how many there were at the switch; settings what the bucket is to do then, as JSON.
CREATE TABLE object_migration_buckets (
  name TEXT PRIMARY KEY,
  bucket_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  total INTEGER NOT NULL,
  total_bytes INTEGER NOT NULL,
  copied INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  after BLOB,
  is_whole INTEGER NOT NULL DEFAULT 0,
  checked_after BLOB,
  is_checked INTEGER NOT NULL DEFAULT 0,
  settings TEXT,
  note TEXT,
  moved INTEGER
) STRICT;

-- Objects that could not be brought over, and why.
CREATE TABLE object_migration_problems (
  bucket TEXT NOT NULL,
  key BLOB NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (bucket, key)
) STRICT, WITHOUT ROWID;
