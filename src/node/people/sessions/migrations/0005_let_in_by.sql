-- The paired device that let it in, with which it ends. Its table belongs to a later feature.
ALTER TABLE sessions ADD COLUMN parent_device_id TEXT;
CREATE INDEX sessions_parent_device ON sessions (parent_device_id) WHERE parent_device_id IS NOT NULL;
