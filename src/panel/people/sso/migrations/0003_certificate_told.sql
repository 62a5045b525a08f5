-- What was last told of the end of the provider's certificate: its fingerprint, and the days that were left.
ALTER TABLE sso_connectors ADD COLUMN certificate_told TEXT;
