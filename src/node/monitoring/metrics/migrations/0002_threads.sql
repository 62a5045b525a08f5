-- How busy each thread of the processor was, one row for each bucket. `sums` has four bytes for each thread, least significant first: the sum
-- of `n` samples in tenths of a percent. Sums add up exactly, so every tier is written with the minute and none is rolled up.
CREATE TABLE m1_threads (bucket INTEGER PRIMARY KEY, n INTEGER NOT NULL, sums BLOB NOT NULL) STRICT;
CREATE TABLE h1_threads (bucket INTEGER PRIMARY KEY, n INTEGER NOT NULL, sums BLOB NOT NULL) STRICT;
CREATE TABLE d1_threads (bucket INTEGER PRIMARY KEY, n INTEGER NOT NULL, sums BLOB NOT NULL) STRICT;
