-- What a node has of a panel is of one membership: of one panel and one workspace there, however often it was connected to them.
ALTER TABLE panel_link ADD COLUMN membership TEXT NOT NULL DEFAULT '';
UPDATE panel_link SET membership = tenant_id;

ALTER TABLE panel_generations RENAME COLUMN tenant_id TO membership;

-- Two panels may call two commands by one name.
CREATE TABLE panel_commands_of_members (
  membership TEXT NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  generation INTEGER NOT NULL,
  payload TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'refused')),
  output TEXT,
  error TEXT,
  received_at INTEGER NOT NULL,
  finished_at INTEGER,
  -- 1 once the panel has acknowledged the status.
  is_told INTEGER NOT NULL CHECK (is_told IN (0, 1)),
  PRIMARY KEY (membership, id)
) STRICT;
INSERT INTO panel_commands_of_members
  SELECT coalesce((SELECT membership FROM panel_link), ''), id, type, generation, payload, status, output, error, received_at,
    finished_at, is_told
  FROM panel_commands ORDER BY received_at, rowid;
DROP TABLE panel_commands;
ALTER TABLE panel_commands_of_members RENAME TO panel_commands;
CREATE INDEX panel_commands_untold ON panel_commands (received_at) WHERE is_told = 0;
