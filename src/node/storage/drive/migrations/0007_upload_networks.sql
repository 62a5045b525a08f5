-- The networks that a stranger sends it from, the widest first and a space between them; null for the owner.
ALTER TABLE drive_uploads ADD COLUMN networks TEXT;
