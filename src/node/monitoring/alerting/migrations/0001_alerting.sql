CREATE TABLE alert_rules (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('threshold', 'rate', 'absence', 'anomaly', 'state')),
  metric TEXT NOT NULL,
  entity TEXT NOT NULL,
  op TEXT NOT NULL CHECK (op IN ('>', '>=', '<', '<=')),
  threshold REAL NOT NULL,
  clear_threshold REAL NOT NULL,
  -- Spans in seconds.
  for_s INTEGER NOT NULL,
  clear_for_s INTEGER NOT NULL,
  sensitivity REAL NOT NULL,
  cooldown_s INTEGER NOT NULL,
  repeat_s INTEGER NOT NULL,
  severity TEXT NOT NULL CHECK (severity IN ('info', 'warning', 'critical')),
  -- JSON: "all" or a list of ids.
  channel_ids TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  template TEXT,
  starter INTEGER NOT NULL DEFAULT 0,
  created_by TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

-- Where the state machine of each rule and entity stands; times in milliseconds.
CREATE TABLE alert_states (
  rule_key TEXT NOT NULL,
  entity TEXT NOT NULL,
  phase TEXT NOT NULL CHECK (phase IN ('ok', 'pending', 'firing', 'clearing')),
  since INTEGER NOT NULL,
  bad_since INTEGER,
  counted_from INTEGER NOT NULL,
  at INTEGER NOT NULL,
  value REAL,
  peak REAL,
  is_open INTEGER NOT NULL,
  flapping INTEGER NOT NULL,
  -- JSON list of times.
  turns TEXT NOT NULL,
  PRIMARY KEY (rule_key, entity)
) STRICT, WITHOUT ROWID;

-- What outlives an episode: when a fire was told last, and until when people want quiet.
CREATE TABLE alert_quiet (
  rule_key TEXT NOT NULL,
  entity TEXT NOT NULL,
  fire_told_at INTEGER,
  silenced_until INTEGER,
  PRIMARY KEY (rule_key, entity)
) STRICT, WITHOUT ROWID;

CREATE TABLE alert_events (
  id TEXT PRIMARY KEY,
  -- Id of the rule, or `no_data`.
  rule_key TEXT NOT NULL,
  rule_id TEXT,
  rule_name TEXT NOT NULL,
  type TEXT NOT NULL,
  severity TEXT NOT NULL CHECK (severity IN ('info', 'warning', 'critical')),
  entity TEXT NOT NULL,
  entity_name TEXT NOT NULL,
  metric TEXT,
  value REAL,
  peak REAL,
  threshold REAL,
  unit TEXT NOT NULL,
  message TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  fired_at INTEGER NOT NULL,
  resolved_at INTEGER,
  resolution TEXT,
  flapping INTEGER NOT NULL DEFAULT 0,
  suppressed INTEGER NOT NULL DEFAULT 0,
  channel_ids TEXT NOT NULL,
  cooldown_s INTEGER NOT NULL,
  repeat_s INTEGER NOT NULL,
  fire_told_at INTEGER,
  told_at INTEGER,
  flap_told_at INTEGER,
  resolve_told_at INTEGER,
  reminders INTEGER NOT NULL DEFAULT 0,
  acknowledged_at INTEGER,
  acknowledged_by TEXT
) STRICT;
-- One open event for each rule and entity, whatever goes wrong elsewhere.
CREATE UNIQUE INDEX alert_events_open ON alert_events (rule_key, entity) WHERE resolved_at IS NULL;
CREATE INDEX alert_events_owed ON alert_events (id)
  WHERE resolved_at IS NOT NULL AND fire_told_at IS NOT NULL AND resolve_told_at IS NULL;
CREATE INDEX alert_events_rule ON alert_events (rule_key, fired_at);

-- What events told about things that are good or bad: the value of state rules.
CREATE TABLE alert_facts (
  metric TEXT NOT NULL,
  entity TEXT NOT NULL,
  entity_name TEXT NOT NULL,
  bad INTEGER NOT NULL,
  message TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (metric, entity)
) STRICT, WITHOUT ROWID;

-- One row: end of the last minute that was judged, and whether the starter rules were made.
CREATE TABLE alert_progress (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  judged_to INTEGER,
  has_starters INTEGER NOT NULL
) STRICT;
INSERT INTO alert_progress VALUES (1, NULL, 0);
