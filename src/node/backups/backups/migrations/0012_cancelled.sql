-- 1 when somebody cancelled it: its status is failed, and nothing went wrong.
ALTER TABLE backups ADD COLUMN cancelled INTEGER NOT NULL DEFAULT 0;
