-- A token that was taken back is remembered until it would have run out: whoever still tries it is told of.
ALTER TABLE registration_tokens ADD COLUMN revoked_at INTEGER;
