-- An app that was let in by another one ends with it.
ALTER TABLE paired_devices ADD COLUMN parent_device_id TEXT REFERENCES paired_devices (id) ON DELETE CASCADE;
CREATE INDEX paired_devices_parent ON paired_devices (parent_device_id) WHERE parent_device_id IS NOT NULL;
