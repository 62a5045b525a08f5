CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  url TEXT NOT NULL,
  -- JSON list of event types, where `*` is all of them.
  events TEXT NOT NULL,
  -- Sealed, like the one before, which signs as well until `previous_until` (milliseconds).
  secret TEXT NOT NULL,
  previous_secret TEXT,
  previous_until INTEGER,
  active INTEGER NOT NULL,
  -- Null when it is on or a person switched it off.
  off_reason TEXT CHECK (off_reason IN ('failures', 'gone')),
  off_at INTEGER,
  -- Failed attempts in a row, and when the last one was counted: those of one minute count once.
  failures INTEGER NOT NULL DEFAULT 0,
  counted_at INTEGER,
  created_at TEXT NOT NULL
) STRICT;

-- One event. The body is written once; these bytes are signed and sent at every attempt.
CREATE TABLE webhook_messages (
  id TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;

CREATE TABLE webhook_deliveries (
  id TEXT PRIMARY KEY,
  webhook_id TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  message_id TEXT NOT NULL REFERENCES webhook_messages (id),
  status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  -- Asked for by a person: one attempt, also while the webhook is off.
  manual INTEGER NOT NULL DEFAULT 0,
  -- Milliseconds, like all times here.
  due_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  delivered_at INTEGER
) STRICT;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, due_at, id) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_list ON webhook_deliveries (webhook_id, id);
CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);
CREATE INDEX webhook_deliveries_message ON webhook_deliveries (message_id);

CREATE TABLE webhook_attempts (
  delivery_id TEXT NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  status_code INTEGER,
  duration_ms INTEGER NOT NULL,
  error TEXT,
  reply TEXT,
  PRIMARY KEY (delivery_id, number)
) STRICT, WITHOUT ROWID;
