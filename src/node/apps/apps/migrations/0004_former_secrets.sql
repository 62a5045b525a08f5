-- Values of secrets that were renewed, until the app has worked with the new ones: the way back.
CREATE TABLE app_former_secrets (
  app_id TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  sealed TEXT NOT NULL,
  PRIMARY KEY (app_id, key)
) STRICT, WITHOUT ROWID;
