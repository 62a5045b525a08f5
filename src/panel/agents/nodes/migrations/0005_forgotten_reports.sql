-- Of a deleted node stays who it was, not what it told.
UPDATE nodes SET inventory = NULL, inventory_hash = NULL, apps = NULL WHERE deleted_at IS NOT NULL;
