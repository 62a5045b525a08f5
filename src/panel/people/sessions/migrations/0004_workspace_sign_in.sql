-- 1 when the workspace's own sign-in let somebody in: good for that workspace alone.
ALTER TABLE sessions ADD COLUMN wsl INTEGER NOT NULL DEFAULT 0 CHECK (wsl IN (0, 1));
