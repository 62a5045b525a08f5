-- The id by which the directory knew somebody when it ended their access last; null where it had none.
ALTER TABLE scim_users ADD COLUMN ended_id TEXT;
UPDATE scim_users SET ended_id = external_id WHERE state <> 'on';
