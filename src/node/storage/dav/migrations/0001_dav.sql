-- Locks that programs took over WebDAV. A lock goes with the file or folder that it is on.
CREATE TABLE dav_locks (
  -- What whoever took it shows.
  token TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- Null for the whole Drive.
  node_id TEXT REFERENCES drive_nodes (id) ON DELETE CASCADE,
  is_shared INTEGER NOT NULL,
  -- Whether it holds for all that lies in the folder.
  is_deep INTEGER NOT NULL,
  -- What whoever took it says about themselves, as XML.
  owner TEXT NOT NULL,
  timeout_s INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX dav_locks_places ON dav_locks (user_id, ifnull(node_id, ''));
CREATE INDEX dav_locks_nodes ON dav_locks (node_id) WHERE node_id IS NOT NULL;

-- What programs keep with a file or folder and this one does not understand.
CREATE TABLE dav_properties (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- Null for the whole Drive.
  node_id TEXT REFERENCES drive_nodes (id) ON DELETE CASCADE,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  -- The whole element as XML.
  element TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX dav_properties_names ON dav_properties (user_id, ifnull(node_id, ''), namespace, name);
CREATE INDEX dav_properties_nodes ON dav_properties (node_id) WHERE node_id IS NOT NULL;
