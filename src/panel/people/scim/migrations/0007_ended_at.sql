-- When the directory ended somebody's access last: an invitation of before that opens nothing.
ALTER TABLE scim_users ADD COLUMN ended_at INTEGER;
UPDATE scim_users SET ended_at = updated_at WHERE state <> 'on';
