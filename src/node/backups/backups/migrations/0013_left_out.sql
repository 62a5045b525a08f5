-- JSON: ids of apps that it was to have and is without, for a fault of their files.
ALTER TABLE backups ADD COLUMN left_out TEXT NOT NULL DEFAULT '[]';
