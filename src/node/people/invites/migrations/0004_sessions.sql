-- A link ends with the session that it was made in when somebody ends that as not theirs.
ALTER TABLE invites ADD COLUMN session_id TEXT;
CREATE INDEX invites_session ON invites (session_id) WHERE session_id IS NOT NULL;
