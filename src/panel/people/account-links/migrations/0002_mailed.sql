-- 1 for a link that went to the address of the account: whoever has it reads what is sent there.
ALTER TABLE account_links ADD COLUMN is_mailed INTEGER NOT NULL DEFAULT 0;
