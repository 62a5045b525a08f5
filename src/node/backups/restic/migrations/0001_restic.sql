-- Repositories of restic that people look into. What opens them is sealed with the place that they lie at.
CREATE TABLE restic_repositories (
  id TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  name TEXT NOT NULL UNIQUE,
  path TEXT NOT NULL UNIQUE,
  opening TEXT NOT NULL,
  version INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  read_at TEXT
) STRICT;
