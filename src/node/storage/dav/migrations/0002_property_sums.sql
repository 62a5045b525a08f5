-- What the properties of a Drive take, which is asked before each that is set: adding them up takes as long as there are many. A row takes
-- more than its element says, with its place in two indexes.
CREATE TABLE dav_property_sums (
  user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  size_bytes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO dav_property_sums
  SELECT user_id, sum(256 + octet_length(element) + 2 * (octet_length(namespace) + octet_length(name)))
  FROM dav_properties GROUP BY user_id;

CREATE TRIGGER dav_properties_made AFTER INSERT ON dav_properties BEGIN
  INSERT INTO dav_property_sums VALUES (
    NEW.user_id, 256 + octet_length(NEW.element) + 2 * (octet_length(NEW.namespace) + octet_length(NEW.name))
  ) ON CONFLICT (user_id) DO UPDATE SET size_bytes = size_bytes + excluded.size_bytes;
END;

CREATE TRIGGER dav_properties_set AFTER UPDATE OF element ON dav_properties BEGIN
  UPDATE dav_property_sums SET size_bytes = size_bytes + octet_length(NEW.element) - octet_length(OLD.element)
  WHERE user_id = NEW.user_id;
END;

CREATE TRIGGER dav_properties_gone AFTER DELETE ON dav_properties BEGIN
  UPDATE dav_property_sums
  SET size_bytes = size_bytes - 256 - octet_length(OLD.element) - 2 * (octet_length(OLD.namespace) + octet_length(OLD.name))
  WHERE user_id = OLD.user_id;
END;
