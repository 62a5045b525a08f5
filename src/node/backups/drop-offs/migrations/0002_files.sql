-- How many files lie in each place; they are counted anew at each start.
ALTER TABLE drop_offs ADD COLUMN files INTEGER NOT NULL DEFAULT 0;
