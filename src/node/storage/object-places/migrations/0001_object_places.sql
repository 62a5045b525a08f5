-- Where objects are kept when it is not this server; one row at most. place is sealed JSON: addresses, and what opens them.
CREATE TABLE object_place (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  kind TEXT NOT NULL CHECK (kind IN ('garage', 's3')),
  place TEXT NOT NULL,
  changed_at TEXT NOT NULL
) STRICT;

-- Files on their way there from the dashboard, by the id that it was given. object_key and upload_id are as the place has them.
CREATE TABLE object_place_uploads (
  id TEXT PRIMARY KEY,
  bucket TEXT NOT NULL,
  object_key TEXT NOT NULL,
  upload_id TEXT NOT NULL,
  media_type TEXT NOT NULL,
  started_at INTEGER NOT NULL
) STRICT;
