-- How the terminal of the server itself is opened. One row, and none while it was never chosen: then it is off.
CREATE TABLE host_terminal (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  mode TEXT NOT NULL CHECK (mode IN ('off', 'unprivileged', 'root')),
  user_name TEXT NOT NULL
) STRICT;
