-- JSON with the title and the body in each language besides English; null for those from before there were any.
ALTER TABLE notifications ADD COLUMN translations TEXT;
