-- What is older than the log is kept is looked for across workspaces.
CREATE INDEX audit_entries_by_age ON audit_entries (at);
