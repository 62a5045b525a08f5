-- When things turned good or bad, a day back: what state rules would have fired, and how often apps ended unexpectedly.
CREATE TABLE alert_fact_log (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  -- As in `alert_facts`, or `app_ended`.
  metric TEXT NOT NULL,
  entity TEXT NOT NULL,
  entity_name TEXT NOT NULL,
  -- Null: the thing is gone.
  bad INTEGER,
  -- How often, where that is more than once.
  times INTEGER NOT NULL DEFAULT 1,
  -- Milliseconds.
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX alert_fact_log_metric ON alert_fact_log (metric, at);
