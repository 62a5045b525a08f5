-- Who asked for it and from where: null when the node began it by itself.
ALTER TABLE operations ADD COLUMN user_id TEXT;
ALTER TABLE operations ADD COLUMN ip TEXT;
