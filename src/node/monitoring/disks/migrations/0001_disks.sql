-- The last reading of each disk that could be read, by a name that follows the disk from port to port.
CREATE TABLE disk_readings (
  key TEXT PRIMARY KEY,
  -- Milliseconds.
  read_at INTEGER NOT NULL,
  status TEXT NOT NULL,
  -- JSON.
  reading TEXT NOT NULL
) STRICT;

-- Filesystems that are above the warning threshold and have been reported.
CREATE TABLE disk_space_warnings (
  mount_point TEXT PRIMARY KEY
) STRICT;
