-- The app in the backup whose data a new one gets beside it; null: the app itself.
ALTER TABLE backup_restores ADD COLUMN source TEXT;
