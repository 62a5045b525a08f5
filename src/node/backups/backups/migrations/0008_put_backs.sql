-- Files and folders that take the place of what an app has: one that was cut off begins again.
CREATE TABLE backup_put_backs (
  app_id TEXT PRIMARY KEY,
  backup_id TEXT NOT NULL REFERENCES backups (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  ip TEXT NOT NULL,
  volume TEXT NOT NULL,
  path TEXT NOT NULL
) STRICT;
