-- How a public bucket answers as a website, and when its objects end, both as JSON.
ALTER TABLE buckets ADD COLUMN website TEXT;
ALTER TABLE buckets ADD COLUMN lifecycle TEXT;
