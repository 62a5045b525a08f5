-- Files and folders of people. What lies in a folder that is in the trash is there with it.
CREATE TABLE drive_nodes (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- Null at the top.
  parent_id TEXT REFERENCES drive_nodes (id) ON DELETE CASCADE,
  is_file INTEGER NOT NULL,
  name TEXT NOT NULL,
  -- The content by its SHA-256 in hex, and null for folders.
  sha256 TEXT,
  size_bytes INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  trashed_at INTEGER
) STRICT;

CREATE UNIQUE INDEX drive_names ON drive_nodes (user_id, ifnull(parent_id, ''), name) WHERE trashed_at IS NULL;
CREATE INDEX drive_parents ON drive_nodes (parent_id);
CREATE INDEX drive_contents ON drive_nodes (sha256);
CREATE INDEX drive_trash ON drive_nodes (user_id, trashed_at, id) WHERE trashed_at IS NOT NULL;

-- Contents that are stored, or were about to be when the program ended. Those that no file has are removed.
CREATE TABLE drive_blobs (
  sha256 TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
