-- Holds all that ending the sessions beyond a user's hundredth asks for at each sign-in, and their list.
CREATE INDEX sessions_by_use ON sessions (user_id, last_used_at DESC, id DESC, expires_at) WHERE revoked_at IS NULL;
