-- What leads to a target that is no folder, sealed; null for folders.
ALTER TABLE backup_targets ADD COLUMN place TEXT;

-- Name of the server that made a backup which was found at a target; null for this one.
ALTER TABLE backups ADD COLUMN made_by TEXT;
