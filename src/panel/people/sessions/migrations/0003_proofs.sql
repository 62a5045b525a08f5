-- When whoever holds the session last proved who they are, by signing in or again; what changes the ways in asks for a fresh proof.
ALTER TABLE sessions ADD COLUMN proven_at INTEGER NOT NULL DEFAULT 0;
