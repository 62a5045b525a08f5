-- One row when the operator chose by command who may make an account; without it the configuration decides.
CREATE TABLE registration (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  mode TEXT NOT NULL CHECK (mode IN ('open', 'invite_only', 'closed'))
) STRICT;
