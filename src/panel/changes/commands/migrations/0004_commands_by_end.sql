-- What is not over is found by when its time is over, and not by having no end.
DROP INDEX commands_by_end;
CREATE INDEX commands_by_end ON commands (finished_at) WHERE finished_at IS NOT NULL;
