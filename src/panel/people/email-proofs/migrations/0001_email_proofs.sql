-- The address that somebody wants in place of theirs, until they have opened a link that went there.
CREATE TABLE email_changes (
  account_id TEXT PRIMARY KEY REFERENCES accounts (id),
  -- Lower case.
  email TEXT NOT NULL,
  -- Digest of the hash of the passphrase then: whoever chooses another one takes back what somebody else asked for.
  passphrase TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

-- Links that prove that whoever holds the account reads what is sent to an address.
CREATE TABLE email_proofs (
  -- SHA-256 as hex: the token itself stands in the letter alone.
  hash TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  email TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX email_proofs_by_account ON email_proofs (account_id);
