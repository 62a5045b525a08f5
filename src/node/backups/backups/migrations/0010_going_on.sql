-- What is put back goes on in the operation that was begun for it; what was not begun yet is only promised.
ALTER TABLE backup_restores ADD COLUMN op_id TEXT;
ALTER TABLE backup_restores ADD COLUMN begun INTEGER NOT NULL DEFAULT 1;
ALTER TABLE backup_put_backs ADD COLUMN op_id TEXT;
-- Buckets and Drives that are put back: what was cut off goes on.
CREATE TABLE backup_object_restores (
  op_id TEXT PRIMARY KEY,
  backup_id TEXT NOT NULL REFERENCES backups (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  ip TEXT NOT NULL,
  wish TEXT NOT NULL
) STRICT;
