-- Jobs with something to do are found by it, so that those that wait for their nodes cost nobody's turn.
CREATE INDEX bulk_jobs_unbegun ON bulk_jobs (tenant_id, id) WHERE status = 'running' AND next_no < total;
DROP INDEX bulk_jobs_open;
CREATE INDEX bulk_jobs_open ON bulk_jobs (tenant_id) WHERE finished_at IS NULL;
-- Nodes that were told, in their order, and by the command that they were told.
DROP INDEX bulk_items_waiting;
CREATE INDEX bulk_items_waiting ON bulk_items (tenant_id, job_id, no) WHERE status = 'sent';
CREATE INDEX bulk_items_by_command ON bulk_items (tenant_id, command_id) WHERE status = 'sent';
