-- Hash of the picture in `avatars`; null without one.
ALTER TABLE users ADD COLUMN avatar_sha256 TEXT;
-- 1 while the password is a temporary one that an admin has seen.
ALTER TABLE users ADD COLUMN must_change_password INTEGER NOT NULL DEFAULT 0 CHECK (must_change_password IN (0, 1));
