-- The address that the account had when the link was made: to another one it opens and proves nothing.
ALTER TABLE account_links ADD COLUMN email TEXT NOT NULL DEFAULT '';
UPDATE account_links SET email = (SELECT a.email FROM accounts a WHERE a.id = account_links.account_id);
