-- Jobs tell the beginning of what nodes said; the whole of it stands with the commands.
ALTER TABLE bulk_items ADD COLUMN is_output_cut INTEGER NOT NULL DEFAULT 0 CHECK (is_output_cut IN (0, 1));
UPDATE bulk_items SET output = substr(output, 1, 499) || '…', is_output_cut = 1 WHERE length(output) > 500;
UPDATE bulk_items SET error = substr(error, 1, 199) || '…' WHERE length(error) > 200;
