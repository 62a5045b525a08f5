-- The root by which the panel proved itself as the node was connected to it; null for a link of an earlier release.
-- Which roots a panel calls its own since then proves nothing: it may name any that it has seen.
ALTER TABLE panel_link ADD COLUMN root TEXT;
