-- A link opens nothing once its maker may no longer make one; of those made before, nobody knows whose they were.
DELETE FROM invites;
ALTER TABLE invites ADD COLUMN made_by TEXT REFERENCES users (id) ON DELETE CASCADE;
CREATE INDEX invites_made_by ON invites (made_by);
