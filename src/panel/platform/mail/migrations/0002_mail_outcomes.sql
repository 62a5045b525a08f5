-- A letter belongs to the workspace that it speaks for, and is gone with it. Empty where it speaks for none.
ALTER TABLE mail_queue RENAME TO mail_queue_before;
CREATE TABLE mail_queue (
  tenant_id TEXT NOT NULL,
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  address TEXT NOT NULL,
  -- JSON: what whoever writes the letter needs to know.
  facts TEXT NOT NULL,
  tries INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
INSERT INTO mail_queue (tenant_id, id, kind, address, facts, tries, due_at, expires_at)
SELECT '', id, kind, address, facts, tries, due_at, expires_at FROM mail_queue_before;
DROP TABLE mail_queue_before;
CREATE INDEX mail_queue_by_turn ON mail_queue (due_at);
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
