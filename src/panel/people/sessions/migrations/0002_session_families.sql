-- Sessions that took one another's place, from one workspace to the next, are one sign-in and end together.
ALTER TABLE sessions ADD COLUMN family TEXT NOT NULL DEFAULT '';
-- The network it began in, as limits count them; empty when that was not written down.
ALTER TABLE sessions ADD COLUMN network TEXT NOT NULL DEFAULT '';
-- When its token was last made: one that is too old to be renewed is of no more use.
ALTER TABLE sessions ADD COLUMN renewed_at INTEGER NOT NULL DEFAULT 0;
UPDATE sessions SET family = id, renewed_at = coalesce((SELECT m.last_active_at FROM members m
  WHERE m.tenant_id = sessions.tenant_id AND m.id = sessions.member_id), created_at);
CREATE INDEX sessions_by_renewal ON sessions (renewed_at);
