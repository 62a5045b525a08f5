-- Files on their way in chunks, whose bytes are an upload of the object store under the same id.
CREATE TABLE drive_uploads (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- Where it goes, null for the top.
  parent_id TEXT REFERENCES drive_nodes (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  -- What its sender says about it to find it again, such as when the file was changed.
  mark TEXT NOT NULL,
  -- What its sender says its content is, by SHA-256, or null.
  promised TEXT,
  -- The content, once all of it is here and being made one file.
  sha256 TEXT,
  -- The file that it became.
  node_id TEXT REFERENCES drive_nodes (id) ON DELETE CASCADE,
  -- When a chunk last came.
  touched_at INTEGER NOT NULL
) STRICT;

CREATE INDEX drive_uploads_users ON drive_uploads (user_id, touched_at);
CREATE INDEX drive_uploads_parents ON drive_uploads (parent_id);
CREATE INDEX drive_uploads_nodes ON drive_uploads (node_id);
CREATE INDEX drive_uploads_contents ON drive_uploads (sha256);
