CREATE TABLE log_forwarders (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  kind TEXT NOT NULL CHECK (kind IN ('syslog', 'loki', 'http')),
  enabled INTEGER NOT NULL,
  -- JSON without secrets.
  config TEXT NOT NULL,
  -- Sealed, null without one.
  secret TEXT,
  sources TEXT NOT NULL CHECK (sources IN ('all', 'system', 'containers')),
  -- This level and worse, null for every line.
  min_level TEXT,
  -- First of the failures without a success since, and what the latest said.
  failing_since TEXT,
  last_error TEXT,
  -- 1 once people were told that it fails.
  is_told INTEGER NOT NULL DEFAULT 0,
  -- When lines were lost last, and why.
  dropped_at TEXT,
  dropped_why TEXT,
  last_sent_at TEXT,
  created_at TEXT NOT NULL
) STRICT;
