-- What the segments say of each object beside its bytes, so that this catalogue can be made anew from them.
-- note_segment is null for objects whose note is still to be written. Of two notes about one key the one with the larger seq counts.
ALTER TABLE objects ADD COLUMN seq INTEGER NOT NULL DEFAULT 0;
ALTER TABLE objects ADD COLUMN note_segment INTEGER;
ALTER TABLE objects ADD COLUMN note_position INTEGER NOT NULL DEFAULT 0;
ALTER TABLE objects ADD COLUMN note_record INTEGER NOT NULL DEFAULT 0;
CREATE INDEX objects_not_noted ON objects (bucket_id, key) WHERE note_segment IS NULL;

-- Notes that count no more and are still to be struck out where they lie.
CREATE TABLE dead_notes (
  segment INTEGER NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (segment, position)
) STRICT, WITHOUT ROWID;

-- The number of the last note, and how far the check of all bytes has come, as JSON.
CREATE TABLE state (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Blobs whose bytes are not those that were stored, and the objects that had them then, as JSON.
CREATE TABLE damage (
  blob_id TEXT PRIMARY KEY,
  found_at INTEGER NOT NULL,
  reason TEXT NOT NULL,
  objects TEXT NOT NULL
) STRICT, WITHOUT ROWID;
