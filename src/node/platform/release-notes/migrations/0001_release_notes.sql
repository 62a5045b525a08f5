-- What the panel last told of each release; replaced whole.
CREATE TABLE release_notes (
  id TEXT PRIMARY KEY,
  version TEXT NOT NULL,
  title TEXT NOT NULL,
  summary TEXT NOT NULL,
  published_at TEXT NOT NULL,
  items TEXT NOT NULL,
  fetched_at TEXT NOT NULL
) STRICT;
