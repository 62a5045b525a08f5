-- The sign-in of its own that a workspace wants of its members; null where each comes in as they like.
ALTER TABLE tenants ADD COLUMN sign_in TEXT;
-- An owner who may come in without it, so that nobody is locked out when it fails.
ALTER TABLE members ADD COLUMN is_break_glass INTEGER NOT NULL DEFAULT 0 CHECK (is_break_glass IN (0, 1));
