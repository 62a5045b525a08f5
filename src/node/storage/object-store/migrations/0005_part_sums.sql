-- The sum of a part in base64, by the algorithm that its upload asked for; null where it asked for none.
ALTER TABLE parts ADD COLUMN sum TEXT;
