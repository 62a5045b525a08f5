-- The language that somebody chose for what is written to them; null where they chose none.
ALTER TABLE accounts ADD COLUMN language TEXT;
-- What their browser asked for when the account was made; null where it asked for none that there is, or there was no browser.
ALTER TABLE accounts ADD COLUMN browser_language TEXT;
-- The language that a workspace writes in to those who chose none.
ALTER TABLE tenants ADD COLUMN language TEXT;
