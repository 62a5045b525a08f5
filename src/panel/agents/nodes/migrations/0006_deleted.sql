-- Deleted nodes by their age, all that is asked of them once an hour: nodes have long reports, which nobody reads for that.
CREATE INDEX nodes_deleted ON nodes (tenant_id, deleted_at, no, id) WHERE deleted_at IS NOT NULL;
