-- What happened, in the words in which it is shown; fed by the bus.
CREATE TABLE timeline_events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  -- Milliseconds. Of the last time for one that stands for several.
  at INTEGER NOT NULL,
  count INTEGER NOT NULL,
  category TEXT NOT NULL,
  type TEXT NOT NULL,
  severity TEXT NOT NULL,
  title TEXT NOT NULL,
  -- Kind and id of what it happened to. Empty when it is the server itself.
  subject_kind TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  link TEXT,
  -- Least role that sees it: 0 viewer, 1 member, 2 admin. Its user sees it in any case.
  least_rank INTEGER NOT NULL,
  user_id TEXT,
  is_inbox INTEGER NOT NULL,
  -- Repeats within a while with the same text are counted instead of listed.
  fold TEXT
) STRICT;

-- Holds all that counting asks for.
CREATE INDEX timeline_by_time ON timeline_events (at, seq, category, least_rank, user_id);
CREATE INDEX timeline_inbox ON timeline_events (at, seq) WHERE is_inbox = 1;
CREATE INDEX timeline_folds ON timeline_events (fold, at) WHERE fold IS NOT NULL;

-- Up to where each user has read; single entries read beyond that are in inbox_reads.
CREATE TABLE inbox_marks (
  user_id TEXT PRIMARY KEY,
  read_through INTEGER NOT NULL
) STRICT;

CREATE TABLE inbox_reads (
  user_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (user_id, seq)
) STRICT, WITHOUT ROWID;

-- The version that ran last, to notice an update.
CREATE TABLE timeline_last_start (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  version TEXT NOT NULL
) STRICT;
