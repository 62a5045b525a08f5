-- How many somebody has, and whose they are when an account goes.
CREATE INDEX drive_owners ON drive_nodes (user_id, is_file);
-- The last changed first, with all that a search looks at.
CREATE INDEX drive_recent ON drive_nodes (user_id, changed_at, id, folded) WHERE trashed_at IS NULL;
-- A page of a folder as it is listed.
CREATE INDEX drive_listing ON drive_nodes (user_id, ifnull(parent_id, ''), is_file, name) WHERE trashed_at IS NULL;
-- What is on its way out or in, and what has been in the trash for long.
CREATE INDEX drive_trash_age ON drive_nodes (trashed_at) WHERE trashed_at IS NOT NULL;
