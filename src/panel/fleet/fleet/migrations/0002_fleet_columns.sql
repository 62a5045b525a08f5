-- JSON list of the columns that a member wants in the list of nodes, null for the usual ones.
ALTER TABLE fleet_views ADD COLUMN shown_columns TEXT;
