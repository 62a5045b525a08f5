CREATE TABLE apps (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  template TEXT NOT NULL,
  version TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('installing', 'running', 'stopped', 'starting', 'stopping', 'updating',
    'rolling_back', 'degraded', 'error', 'uninstalling')),
  cause TEXT,
  next_step TEXT,
  created_at TEXT NOT NULL,
  installed_at TEXT,
  started_at TEXT,
  -- Work in progress, finished or undone after a crash (null when the app rests).
  work TEXT CHECK (work IN ('install', 'start', 'stop', 'restart', 'uninstall')),
  op_id TEXT,
  delete_data INTEGER NOT NULL DEFAULT 0,
  -- What the admin chose, as JSON.
  config TEXT NOT NULL,
  -- The manifest (JSON) and the Compose file of the installed version: the catalogue may move on without them.
  manifest TEXT NOT NULL,
  compose TEXT NOT NULL
) STRICT;

CREATE TABLE app_services (
  app_id TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  image TEXT NOT NULL,
  container_id TEXT,
  state TEXT NOT NULL,
  health TEXT,
  restarts INTEGER NOT NULL DEFAULT 0,
  exit_code INTEGER,
  oom_killed INTEGER NOT NULL DEFAULT 0,
  started_at TEXT,
  PRIMARY KEY (app_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE app_ports (
  app_id TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  service TEXT NOT NULL,
  container INTEGER NOT NULL,
  protocol TEXT NOT NULL CHECK (protocol IN ('tcp', 'udp')),
  host INTEGER NOT NULL,
  bind TEXT NOT NULL,
  purpose TEXT NOT NULL,
  PRIMARY KEY (app_id, service, container, protocol),
  UNIQUE (host, protocol)
) STRICT;

-- Not bound to apps: they stay with the data of an uninstalled app, which is useless without them.
CREATE TABLE app_secrets (
  app_id TEXT NOT NULL,
  key TEXT NOT NULL,
  label TEXT NOT NULL,
  sealed TEXT NOT NULL,
  PRIMARY KEY (app_id, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE app_steps (
  op_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  app_id TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  step TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed')),
  data TEXT,
  PRIMARY KEY (op_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE app_trash (
  app_id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  template TEXT NOT NULL,
  display_name TEXT NOT NULL,
  icon TEXT NOT NULL,
  volumes TEXT NOT NULL,
  deleted_at TEXT NOT NULL,
  purge_at TEXT NOT NULL
) STRICT;
