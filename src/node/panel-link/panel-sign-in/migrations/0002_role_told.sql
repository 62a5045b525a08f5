-- What the panel told last that they are; null for those who came before this was written down.
ALTER TABLE panel_accounts ADD COLUMN role TEXT;
