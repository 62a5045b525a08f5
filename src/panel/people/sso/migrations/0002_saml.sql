-- A provider may speak SAML 2.0: then `issuer` is its entity id, empty while none is set, `oidc_client` is empty and `sealed_secret`
-- keeps our own private key.
ALTER TABLE sso_connectors ADD COLUMN kind TEXT NOT NULL DEFAULT 'oidc' CHECK (kind IN ('oidc', 'saml'));
-- What only SAML has, as JSON.
ALTER TABLE sso_connectors ADD COLUMN saml TEXT;
-- When the metadata of the provider is looked at next; null where nobody knows where it stands.
ALTER TABLE sso_connectors ADD COLUMN metadata_due INTEGER;

-- Assertions that were taken, so that none is taken twice.
CREATE TABLE sso_assertions (
  tenant_id TEXT NOT NULL,
  connector_id TEXT NOT NULL,
  -- SHA-256 of the id that the provider gave it.
  hash TEXT NOT NULL,
  -- It cannot be taken any more after that, so nobody has to know of it.
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, connector_id, hash),
  FOREIGN KEY (tenant_id, connector_id) REFERENCES sso_connectors (tenant_id, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX sso_assertions_by_end ON sso_assertions (expires_at);
