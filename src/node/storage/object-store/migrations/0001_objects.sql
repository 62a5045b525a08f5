-- The catalogue of the object store, a database of its own beside the data.
-- Keys are bytes, since S3 lists them in the order of their bytes.
CREATE TABLE buckets (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  visibility TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL DEFAULT 0,
  object_count INTEGER NOT NULL DEFAULT 0,
  cors TEXT
) STRICT;

-- Bytes on disk: a place in a segment, or a file of their own where segment is null. Copies share them.
-- record is how much of the segment they take, with what stands around them.
CREATE TABLE blobs (
  id TEXT PRIMARY KEY,
  segment INTEGER,
  position INTEGER NOT NULL,
  size INTEGER NOT NULL,
  record INTEGER NOT NULL,
  crc INTEGER NOT NULL,
  refs INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX blobs_of_segment ON blobs (segment) WHERE segment IS NOT NULL;

-- blobs is a list of ids as JSON, in the order of the bytes.
CREATE TABLE objects (
  bucket_id TEXT NOT NULL,
  key BLOB NOT NULL,
  size INTEGER NOT NULL,
  etag TEXT NOT NULL,
  modified_at INTEGER NOT NULL,
  facts TEXT NOT NULL,
  blobs TEXT NOT NULL,
  PRIMARY KEY (bucket_id, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE segments (
  id INTEGER PRIMARY KEY,
  bytes INTEGER NOT NULL,
  live_bytes INTEGER NOT NULL
) STRICT;

-- Files that nothing refers to any more and that are still to be removed.
CREATE TABLE garbage (
  path TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE uploads (
  id TEXT PRIMARY KEY,
  bucket_id TEXT NOT NULL,
  key BLOB NOT NULL,
  started_at INTEGER NOT NULL,
  facts TEXT NOT NULL
) STRICT;
CREATE INDEX uploads_of_bucket ON uploads (bucket_id, key, id);

CREATE TABLE parts (
  upload_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  size INTEGER NOT NULL,
  etag TEXT NOT NULL,
  modified_at INTEGER NOT NULL,
  blobs TEXT NOT NULL,
  PRIMARY KEY (upload_id, number)
) STRICT, WITHOUT ROWID;
