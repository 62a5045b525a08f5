-- Where accounts signed in from, so that a sign-in from elsewhere is told.
CREATE TABLE sign_in_places (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  -- A hash of the network and the browser.
  place TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  -- When the owner was told of it, null for the first one, and for those past the number of a day.
  told_at INTEGER,
  PRIMARY KEY (account_id, place)
) STRICT;
