-- When it was written down that it is paused, because the member who answers for it may not have it any more; null while it is not.
ALTER TABLE chat_channels ADD COLUMN paused_at INTEGER;
