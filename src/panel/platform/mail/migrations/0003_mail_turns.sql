-- The first letter of each workspace is found without looking at all that wait behind it.
CREATE INDEX mail_queue_by_workspace ON mail_queue (tenant_id, expires_at, id, kind, due_at);
