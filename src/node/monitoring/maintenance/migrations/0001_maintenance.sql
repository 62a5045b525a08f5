CREATE TABLE maintenance_windows (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  -- Wall time `2026-03-29T02:30`, inclusive and exclusive, as read on a clock in `timezone`.
  start TEXT NOT NULL,
  end TEXT NOT NULL,
  timezone TEXT NOT NULL,
  repeat TEXT NOT NULL CHECK (repeat IN ('one-time', 'daily', 'weekly', 'monthly')),
  scope TEXT NOT NULL CHECK (scope IN ('all', 'rules')),
  -- JSON list of ids.
  rule_ids TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
