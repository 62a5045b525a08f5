-- Account that added it; null for those of before this was kept, which belong to admins.
ALTER TABLE webhooks ADD COLUMN created_by TEXT;
