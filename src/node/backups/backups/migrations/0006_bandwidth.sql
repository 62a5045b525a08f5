-- Most that backups, their checks and their tidying move to and from a target, in MB a second; null: as much as they can.
ALTER TABLE backup_targets ADD COLUMN max_mb_per_second INTEGER;
