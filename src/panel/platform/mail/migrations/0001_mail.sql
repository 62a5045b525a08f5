-- Mail that waits to be sent. It is written when its turn comes, so that no link stands here.
CREATE TABLE mail_queue (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  address TEXT NOT NULL,
  -- JSON: what whoever writes the letter needs to know.
  facts TEXT NOT NULL,
  tries INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX mail_queue_by_turn ON mail_queue (due_at);
