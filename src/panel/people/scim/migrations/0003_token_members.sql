-- The member who answers for a token: it is good only while they may have one. Null for those of before this was kept.
ALTER TABLE scim_tokens ADD COLUMN made_by TEXT;
-- When it was first refused because of that; null while it is good.
ALTER TABLE scim_tokens ADD COLUMN paused_at INTEGER;
