-- Since when an account is gone for everybody while what it keeps here is removed a part at a time; its row goes last.
ALTER TABLE users ADD COLUMN leaving_at TEXT;
