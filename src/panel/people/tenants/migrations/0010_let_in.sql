-- When somebody in the workspace let a member in last, by an invitation or by giving the access back; null where nobody did.
ALTER TABLE members ADD COLUMN let_in_at INTEGER;
-- A removal is over for whom somebody let in after it.
ALTER TABLE removed_members ADD COLUMN removed_at INTEGER NOT NULL DEFAULT 0;
