-- Ids that differ in small and capital letters alone are taken for one another.
CREATE INDEX nodes_by_small_id ON nodes (lower(id));
