-- 1: it lies on the disk of the data of this server.
ALTER TABLE backup_targets ADD COLUMN own_disk INTEGER NOT NULL DEFAULT 0;
