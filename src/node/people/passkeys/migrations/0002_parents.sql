-- A passkey that a paired app made, or a session that it let in, ends with the app.
ALTER TABLE passkeys ADD COLUMN parent_device_id TEXT REFERENCES paired_devices (id) ON DELETE CASCADE;
CREATE INDEX passkeys_parent_device ON passkeys (parent_device_id) WHERE parent_device_id IS NOT NULL;
