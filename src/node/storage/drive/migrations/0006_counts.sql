-- How many files and folders somebody has, which is asked before each that is made: counting them takes as long as there are many.
CREATE TABLE drive_counts (
  user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  nodes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO drive_counts SELECT user_id, count(*) FROM drive_nodes GROUP BY user_id;

CREATE TRIGGER drive_nodes_made AFTER INSERT ON drive_nodes BEGIN
  INSERT INTO drive_counts VALUES (NEW.user_id, 1) ON CONFLICT (user_id) DO UPDATE SET nodes = nodes + 1;
END;

CREATE TRIGGER drive_nodes_gone AFTER DELETE ON drive_nodes BEGIN
  UPDATE drive_counts SET nodes = nodes - 1 WHERE user_id = OLD.user_id;
END;
