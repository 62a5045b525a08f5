-- Since when a node has been ill of what it measured or told, milliseconds by reason, as JSON.
ALTER TABLE node_figures ADD COLUMN since TEXT NOT NULL DEFAULT '{}';
