-- What a key or a paired device has made ends with it.
ALTER TABLE api_keys ADD COLUMN parent_key_id TEXT REFERENCES api_keys (id) ON DELETE CASCADE;
ALTER TABLE api_keys ADD COLUMN parent_device_id TEXT REFERENCES paired_devices (id) ON DELETE CASCADE;
CREATE INDEX api_keys_parent_key ON api_keys (parent_key_id) WHERE parent_key_id IS NOT NULL;
CREATE INDEX api_keys_parent_device ON api_keys (parent_device_id) WHERE parent_device_id IS NOT NULL;
