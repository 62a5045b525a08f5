CREATE TABLE registries (
  id TEXT PRIMARY KEY,
  -- As images name it: host or host:port in lower case, docker.io for Docker Hub.
  address TEXT NOT NULL UNIQUE,
  username TEXT NOT NULL,
  -- Password or token, sealed.
  secret TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
