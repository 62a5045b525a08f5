-- What databases wrote of themselves before an update, kept as long as the volumes of that generation.
CREATE TABLE app_dumps (
  app_id TEXT NOT NULL,
  generation INTEGER NOT NULL,
  -- The file, in the folder of that app and generation.
  name TEXT NOT NULL,
  service TEXT NOT NULL,
  dumper TEXT NOT NULL,
  -- Of what the database wrote, before it was compressed.
  size_bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  made_at TEXT NOT NULL,
  -- Why there is none, instead.
  problem TEXT,
  PRIMARY KEY (app_id, generation, name)
) STRICT, WITHOUT ROWID;
