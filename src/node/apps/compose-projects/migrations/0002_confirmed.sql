-- Dangers of a project that a person has confirmed and that a start has to look for once more; those of the deploy that began last.
CREATE TABLE compose_confirmed (
  project TEXT NOT NULL,
  -- As the plan names it: `SERVICE/nested_path:PATH`.
  danger TEXT NOT NULL,
  PRIMARY KEY (project, danger)
) STRICT, WITHOUT ROWID;
