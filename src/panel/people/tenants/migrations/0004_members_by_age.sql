CREATE INDEX members_by_age ON members (tenant_id, created_at, id);
