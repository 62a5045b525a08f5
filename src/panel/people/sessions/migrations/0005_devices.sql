-- The browser and system that signed in, as people know them; empty when they named none.
ALTER TABLE sessions ADD COLUMN device TEXT NOT NULL DEFAULT '';
