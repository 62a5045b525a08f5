-- Until when the workspace lets in somebody of the panel's staff, in milliseconds of the panel's clock; null for its own people.
ALTER TABLE panel_people ADD COLUMN visit_until INTEGER;
