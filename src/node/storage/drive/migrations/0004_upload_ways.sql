-- Whether it takes the place of a file of its name when it is whole, where nobody is asked at its end.
ALTER TABLE drive_uploads ADD COLUMN replaces INTEGER NOT NULL DEFAULT 0;
-- The link that a stranger sends it by; null for the owner of the Drive.
ALTER TABLE drive_uploads ADD COLUMN share_id TEXT;

CREATE INDEX drive_uploads_shares ON drive_uploads (share_id) WHERE share_id IS NOT NULL;
