-- Whether somebody has a second factor; the feature that keeps them says so in the transaction of what changes it.
ALTER TABLE accounts ADD COLUMN has_factor INTEGER NOT NULL DEFAULT 0 CHECK (has_factor IN (0, 1));
