-- What it is part of, as people say it: a backup. Null where it is done for itself.
ALTER TABLE operations ADD COLUMN purpose TEXT;
