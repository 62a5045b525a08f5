-- How long the panel listened since each of its latest starts, milliseconds: silence goes on where a restart found it.
CREATE TABLE listening_runs (
  began_at INTEGER PRIMARY KEY,
  listened_ms INTEGER NOT NULL
) STRICT;
