-- The log is read newest first, from any moment on.
CREATE INDEX audit_entries_by_time ON audit_entries (tenant_id, at, id);
