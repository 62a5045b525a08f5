-- How far a new role of the group came: the last member who has it, empty for none yet, null when nothing is left to do.
ALTER TABLE scim_groups ADD COLUMN settled_to TEXT;
CREATE INDEX scim_groups_unsettled ON scim_groups (updated_at) WHERE settled_to IS NOT NULL;
