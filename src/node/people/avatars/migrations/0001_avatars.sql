-- 256 by 256 PNG, named by its own hash.
CREATE TABLE avatars (sha256 TEXT PRIMARY KEY, png BLOB NOT NULL) STRICT;
