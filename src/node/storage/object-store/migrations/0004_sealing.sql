-- Whether bytes lie encrypted, and whether all that a segment holds does.
ALTER TABLE blobs ADD COLUMN sealed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE segments ADD COLUMN sealed INTEGER NOT NULL DEFAULT 0;
