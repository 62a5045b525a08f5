CREATE TABLE object_keys (
  access_key TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  -- Sealed: requests are signed with it, so a hash would not do.
  secret TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;

-- What a key may do with a bucket. Buckets are meant by their id, so that a grant ends with its bucket whatever is called so next.
CREATE TABLE object_grants (
  access_key TEXT NOT NULL REFERENCES object_keys ON DELETE CASCADE,
  bucket_id TEXT NOT NULL,
  may_read INTEGER NOT NULL,
  may_write INTEGER NOT NULL,
  is_owner INTEGER NOT NULL,
  PRIMARY KEY (access_key, bucket_id)
) STRICT, WITHOUT ROWID;
