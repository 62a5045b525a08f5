-- What is less severe is not told there.
ALTER TABLE chat_channels ADD COLUMN least_severity TEXT NOT NULL DEFAULT 'warning' CHECK (least_severity IN ('warning', 'critical'));
-- Since when every message failed; null where the last one arrived.
ALTER TABLE chat_channels ADD COLUMN failing_since INTEGER;
-- Since when nothing is sent there any more because of that; null while it is.
ALTER TABLE chat_channels ADD COLUMN off_at INTEGER;
