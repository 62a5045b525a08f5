-- 1 when all of it is there, and the app is still to be started. In backup_restores `begun` says that by 2.
ALTER TABLE backup_put_backs ADD COLUMN written INTEGER NOT NULL DEFAULT 0;
