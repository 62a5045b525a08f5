-- What whoever made it was then: a token reaches owners only where one of them made it. Of older ones it is not known.
ALTER TABLE scim_tokens ADD COLUMN made_by_role TEXT;
