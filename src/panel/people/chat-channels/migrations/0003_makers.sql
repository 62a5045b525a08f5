-- The member who answers for it; null for those of before this was kept, which belong to whoever may change settings.
ALTER TABLE chat_channels ADD COLUMN created_by TEXT;
