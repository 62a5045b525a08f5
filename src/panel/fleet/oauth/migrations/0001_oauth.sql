CREATE TABLE oauth_codes (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  -- SHA-256 as hex: the code itself is nowhere.
  hash TEXT NOT NULL,
  node_id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  code_challenge TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER,
  PRIMARY KEY (tenant_id, hash),
  FOREIGN KEY (tenant_id, node_id) REFERENCES nodes (tenant_id, id),
  FOREIGN KEY (tenant_id, member_id) REFERENCES members (tenant_id, id) ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX oauth_codes_by_hash ON oauth_codes (hash);
CREATE INDEX oauth_codes_by_end ON oauth_codes (expires_at);
