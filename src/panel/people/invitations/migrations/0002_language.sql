-- The language that the inviter chose for the letter; null where that is up to the workspace.
ALTER TABLE invitations ADD COLUMN language TEXT;
