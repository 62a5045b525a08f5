-- Rooms of a chat that hear what a workspace's people should know of.
CREATE TABLE chat_channels (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  service TEXT NOT NULL CHECK (service IN ('slack', 'discord', 'teams')),
  -- Whoever has the address can write there.
  sealed_url TEXT NOT NULL,
  -- JSON list of the kinds that it hears.
  kinds TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- When it is tried next, and how often that went wrong in a row.
  next_at INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  last_error TEXT,
  sent_at INTEGER,
  -- How many messages were given up since the last one that arrived.
  dropped INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id)
) STRICT;

-- What waits to be told there.
CREATE TABLE chat_waiting (
  tenant_id TEXT NOT NULL,
  channel_id TEXT NOT NULL,
  -- Later ones are greater.
  id TEXT NOT NULL,
  severity TEXT NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  link TEXT NOT NULL,
  queued_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, channel_id, id),
  FOREIGN KEY (tenant_id, channel_id) REFERENCES chat_channels (tenant_id, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX chat_waiting_by_age ON chat_waiting (queued_at);
