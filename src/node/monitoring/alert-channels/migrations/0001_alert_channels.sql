CREATE TABLE alert_channels (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  type TEXT NOT NULL CHECK (type IN ('email', 'telegram', 'slack', 'discord', 'webhook')),
  enabled INTEGER NOT NULL,
  -- JSON without secrets.
  config TEXT NOT NULL,
  -- Sealed, null without one.
  secret TEXT,
  -- Failures since the last success.
  failures INTEGER NOT NULL DEFAULT 0,
  failing_since TEXT,
  last_error TEXT,
  -- Failures in a row that were about the message and not about the way.
  refusals INTEGER NOT NULL DEFAULT 0,
  -- Milliseconds, nothing leaves before. 0 at any time.
  next_attempt_at INTEGER NOT NULL DEFAULT 0,
  last_delivery_at TEXT,
  -- Event and channel that were told of the failing, null while nobody was.
  told_event_id TEXT,
  told_channel_id TEXT,
  created_at TEXT NOT NULL
) STRICT;

CREATE TABLE alert_outbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  channel_id TEXT NOT NULL REFERENCES alert_channels (id) ON DELETE CASCADE,
  event_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('fired', 'resolved', 'reminder', 'flapping')),
  state TEXT NOT NULL CHECK (state IN ('queued', 'sent', 'expired', 'refused', 'dropped')),
  -- JSON of the notice, then its texts as they were when it was queued.
  notice TEXT NOT NULL,
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  -- 1 for what the test button sends, which goes at once and once.
  is_test INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  -- 1 once another notice got through where this one was refused again and again.
  is_suspect INTEGER NOT NULL DEFAULT 0,
  -- Milliseconds.
  queued_at INTEGER NOT NULL,
  settled_at INTEGER
) STRICT;
CREATE UNIQUE INDEX alert_outbox_once ON alert_outbox (channel_id, event_id, kind) WHERE kind IN ('fired', 'resolved');
CREATE INDEX alert_outbox_queued ON alert_outbox (channel_id, seq) WHERE state = 'queued' AND is_test = 0;
CREATE INDEX alert_outbox_event ON alert_outbox (event_id);
CREATE INDEX alert_outbox_settled ON alert_outbox (settled_at) WHERE settled_at IS NOT NULL;

-- The trail outlives its channel, so that what became of an event can still be told.
CREATE TABLE alert_deliveries (
  -- Order of the attempts, whatever the clock says.
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  channel_id TEXT NOT NULL,
  channel_name TEXT NOT NULL,
  channel_type TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('sending', 'delivered', 'failed', 'interrupted')),
  code INTEGER,
  latency_ms INTEGER,
  provider_text TEXT NOT NULL,
  plain INTEGER NOT NULL,
  test INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX alert_deliveries_channel ON alert_deliveries (channel_id, seq);
CREATE INDEX alert_deliveries_at ON alert_deliveries (at);
CREATE INDEX alert_deliveries_sending ON alert_deliveries (id) WHERE status = 'sending';

CREATE TABLE alert_delivery_events (
  delivery_id TEXT NOT NULL REFERENCES alert_deliveries (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  PRIMARY KEY (delivery_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX alert_delivery_events_event ON alert_delivery_events (event_id);

CREATE TABLE alert_templates (
  kind TEXT NOT NULL,
  channel_type TEXT NOT NULL,
  subject TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (kind, channel_type)
) STRICT, WITHOUT ROWID;
