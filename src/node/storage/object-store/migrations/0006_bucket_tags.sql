-- Tags of a bucket, as JSON.
ALTER TABLE buckets ADD COLUMN tags TEXT;
