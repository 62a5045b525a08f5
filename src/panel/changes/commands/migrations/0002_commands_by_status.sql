-- Lists of what failed, the newest first, without a look at everything that did not.
CREATE INDEX commands_by_status ON commands (tenant_id, status, id);
