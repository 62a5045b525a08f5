-- A null column means the default, so that a later change of defaults reaches everybody who never chose.
CREATE TABLE preferences (
  user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  accent TEXT,
  custom_accent TEXT,
  theme TEXT,
  motion TEXT,
  sounds INTEGER,
  mode TEXT,
  spaces TEXT NOT NULL DEFAULT '{}',
  updated_at TEXT NOT NULL
) STRICT;
