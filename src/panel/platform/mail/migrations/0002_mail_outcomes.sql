-- The workspace that a letter speaks for; empty where it speaks for none.
ALTER TABLE mail_queue ADD COLUMN tenant_id TEXT NOT NULL DEFAULT '';
-- What became of the last letter to an address, for each workspace that it spoke for; empty where it spoke for none.
CREATE TABLE mail_outcomes (
  tenant_id TEXT NOT NULL,
  address TEXT NOT NULL,
  -- The id of the letter in mail_queue: what becomes of an earlier one is not told any more.
  letter_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'sent', 'refused', 'given_up')),
  -- What the mail server said last, or null where it said nothing.
  reason TEXT,
  -- 1: the mail server said that nobody has this address. It stays until a letter is taken.
  is_unreachable INTEGER NOT NULL DEFAULT 0,
  queued_at INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, address)
) STRICT;
CREATE INDEX mail_outcomes_by_address ON mail_outcomes (address);
CREATE INDEX mail_outcomes_by_age ON mail_outcomes (at);
