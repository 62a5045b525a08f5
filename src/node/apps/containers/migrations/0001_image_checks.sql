-- What registries said of the images that containers without an app use.
CREATE TABLE image_checks (
  -- In full: registry/repository:tag.
  reference TEXT PRIMARY KEY,
  -- Milliseconds since 1970.
  asked_at INTEGER NOT NULL,
  -- What the tag stands for at the registry, or NULL where that did not say.
  digest TEXT,
  -- JSON list of the ids of images that were here then, go by this repository and are older ones.
  older TEXT NOT NULL,
  -- Why there is no digest, or why there are no older images although the digest is another one.
  failure TEXT,
  -- 1 when the registry was asked with a login.
  with_login INTEGER NOT NULL,
  -- The digest that people were told of.
  told TEXT
) STRICT;

-- Registries that are not asked for a while.
CREATE TABLE registry_rests (
  registry TEXT PRIMARY KEY,
  failure TEXT NOT NULL,
  -- How often it failed in a row.
  tries INTEGER NOT NULL,
  asked_at INTEGER NOT NULL,
  until INTEGER NOT NULL
) STRICT;
