-- What features of the panel declare to be wrong besides what the fleet shows: the thing that it is about, and its page.
-- Both are empty for causes that are seen.
ALTER TABLE fleet_incidents ADD COLUMN subject TEXT NOT NULL DEFAULT '';
ALTER TABLE fleet_incidents ADD COLUMN link TEXT NOT NULL DEFAULT '';
DROP INDEX fleet_incidents_open;
CREATE UNIQUE INDEX fleet_incidents_open ON fleet_incidents (tenant_id, rule, region, subject) WHERE resolved_at IS NULL;
