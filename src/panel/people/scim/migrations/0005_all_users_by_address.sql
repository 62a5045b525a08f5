-- Also those whom the directory forgot: a sign-on asks who had an address here.
CREATE INDEX scim_users_by_name ON scim_users (tenant_id, user_key);
CREATE INDEX scim_users_by_email ON scim_users (tenant_id, email);
