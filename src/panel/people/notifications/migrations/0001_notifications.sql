-- What members of a workspace should know of, once for each event.
CREATE TABLE notifications (
  tenant_id TEXT NOT NULL,
  -- Later ones are greater.
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  severity TEXT NOT NULL CHECK (severity IN ('info', 'success', 'warning', 'critical')),
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  link TEXT NOT NULL,
  -- Whom it concerns: those with a permission, or one member. Empty where that is not the measure.
  permission TEXT NOT NULL,
  member_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- When letters were queued for those who want them.
  mailed_at INTEGER,
  PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE INDEX notifications_by_age ON notifications (created_at);
CREATE INDEX notifications_unmailed ON notifications (id) WHERE mailed_at IS NULL;

CREATE TABLE notification_reads (
  tenant_id TEXT NOT NULL,
  notification_id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  read_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, notification_id, member_id)
) STRICT;

-- How a member wants to hear, and up to which notification they have read all.
CREATE TABLE notification_members (
  tenant_id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  read_up_to TEXT NOT NULL DEFAULT '',
  read_all_at INTEGER NOT NULL DEFAULT 0,
  -- JSON by kind, null while nothing was chosen.
  preferences TEXT,
  PRIMARY KEY (tenant_id, member_id)
) STRICT;
