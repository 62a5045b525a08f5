-- Whose account it is: another panel, or another workspace of the same one, may call somebody else by the same name.
CREATE TABLE panel_people (
  membership TEXT NOT NULL,
  account_id TEXT NOT NULL,
  user_id TEXT NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  linked_at TEXT NOT NULL,
  -- What the panel told last that they are, null for those who came before this was written down.
  role TEXT,
  -- When what let them in ended with the membership, null while it goes on.
  ended_at TEXT,
  PRIMARY KEY (membership, account_id)
) STRICT;
INSERT INTO panel_people (membership, account_id, user_id, email, linked_at, role)
  SELECT coalesce((SELECT membership FROM panel_link), ''), account_id, user_id, email, linked_at, role FROM panel_accounts;
DROP TABLE panel_accounts;
