-- Since when a workspace is deleted, whose rows go in parts; null for all that there are.
ALTER TABLE tenants ADD COLUMN deleted_at INTEGER;
CREATE INDEX tenants_deleted ON tenants (deleted_at) WHERE deleted_at IS NOT NULL;
