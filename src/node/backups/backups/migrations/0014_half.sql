-- JSON: ids of apps in it of which not all was there when they were copied.
ALTER TABLE backups ADD COLUMN half TEXT NOT NULL DEFAULT '[]';
