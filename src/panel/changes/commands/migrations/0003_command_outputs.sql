-- A command has the beginning of what its node said, for lists. The whole of a long output stands by itself, so that nobody who
-- lists commands reads it, and goes first when a workspace has too much of it.
ALTER TABLE commands ADD COLUMN is_output_cut INTEGER NOT NULL DEFAULT 0 CHECK (is_output_cut IN (0, 1));

CREATE TABLE command_outputs (
  tenant_id TEXT NOT NULL,
  command_id TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  output TEXT NOT NULL,
  PRIMARY KEY (tenant_id, command_id),
  FOREIGN KEY (tenant_id, command_id) REFERENCES commands (tenant_id, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX command_outputs_sizes ON command_outputs (tenant_id, command_id, bytes);

INSERT INTO command_outputs (tenant_id, command_id, bytes, output)
  SELECT tenant_id, id, octet_length(output), output FROM commands WHERE finished_at IS NOT NULL AND length(output) > 500;
UPDATE commands SET output = substr(output, 1, 499) || '…', is_output_cut = 1 WHERE length(output) > 500;
