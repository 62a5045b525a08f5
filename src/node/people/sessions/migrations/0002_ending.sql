-- 1 when the session was ended against the will of whoever holds its tokens: those stop at once, while tokens of a
-- session that signed out itself run out by themselves.
ALTER TABLE sessions ADD COLUMN is_cut INTEGER NOT NULL DEFAULT 0 CHECK (is_cut IN (0, 1));
