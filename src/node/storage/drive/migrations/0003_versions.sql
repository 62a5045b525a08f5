-- What a file held before, kept for as long as the plan says.
CREATE TABLE drive_versions (
  id TEXT PRIMARY KEY,
  node_id TEXT NOT NULL REFERENCES drive_nodes (id) ON DELETE CASCADE,
  sha256 TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  -- Since when it was the content, and until when.
  made_at INTEGER NOT NULL,
  replaced_at INTEGER NOT NULL
) STRICT;

CREATE INDEX drive_versions_nodes ON drive_versions (node_id, replaced_at);
CREATE INDEX drive_versions_contents ON drive_versions (sha256);
CREATE INDEX drive_versions_age ON drive_versions (replaced_at);

-- Since when the content is what it is.
ALTER TABLE drive_nodes ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;
-- When its owner marked it with a star.
ALTER TABLE drive_nodes ADD COLUMN starred_at INTEGER;
-- The name as it is searched, without capitals.
ALTER TABLE drive_nodes ADD COLUMN folded TEXT NOT NULL DEFAULT '';
UPDATE drive_nodes SET changed_at = created_at, folded = lower(name);

CREATE INDEX drive_stars ON drive_nodes (user_id, starred_at) WHERE starred_at IS NOT NULL;
