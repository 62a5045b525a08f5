-- Account that answers for it; null for those of before this was kept, which belong to admins.
ALTER TABLE log_forwarders ADD COLUMN created_by TEXT;
