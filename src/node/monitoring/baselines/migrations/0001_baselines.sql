-- Means of closed hours, at most eight of each hour of the week: a memory of its own, because the series forget sooner.
CREATE TABLE baseline_hours (
  metric TEXT NOT NULL,
  -- Hour of the week, 0 to 167.
  slot INTEGER NOT NULL,
  -- Hours since 1970 UTC.
  hour INTEGER NOT NULL,
  mean REAL NOT NULL,
  -- The mean less what was expected of that hour, null while nothing was.
  residual REAL,
  PRIMARY KEY (metric, slot, hour)
) STRICT, WITHOUT ROWID;

-- Times in which a metric was not as usual. Times in milliseconds; the figures are those of the furthest point.
CREATE TABLE anomalies (
  id TEXT PRIMARY KEY,
  metric TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  ended_at INTEGER,
  peak_at INTEGER NOT NULL,
  value REAL NOT NULL,
  mean REAL NOT NULL,
  stddev REAL NOT NULL,
  z REAL NOT NULL
) STRICT;
CREATE INDEX anomalies_newest ON anomalies (metric, started_at DESC);
