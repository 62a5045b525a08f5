-- When mail comes, as JSON; null while nothing was chosen.
ALTER TABLE notification_members ADD COLUMN delivery TEXT;

-- What members are told by mail later: when it is not quiet any more, or with what else came up to then.
CREATE TABLE notification_waiting (
  tenant_id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  notification_id TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, member_id, notification_id),
  FOREIGN KEY (tenant_id, member_id) REFERENCES members (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, notification_id) REFERENCES notifications (tenant_id, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX notification_waiting_by_time ON notification_waiting (due_at);
CREATE INDEX notification_waiting_by_notification ON notification_waiting (tenant_id, notification_id);
