-- The address that the account had and never proved, until whoever its domain is of gave it to somebody; it still signs in by it.
ALTER TABLE accounts ADD COLUMN released_email TEXT;
CREATE INDEX accounts_by_released_email ON accounts (released_email);
