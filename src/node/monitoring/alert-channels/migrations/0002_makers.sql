-- Account that answers for it; null for those of before this was kept, which belong to admins.
ALTER TABLE alert_channels ADD COLUMN created_by TEXT;
