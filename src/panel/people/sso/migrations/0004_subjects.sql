-- Who a member is or was at providers, also where the link is gone: whom somebody removes does not come back by it.
CREATE TABLE sso_subjects (
  tenant_id TEXT NOT NULL,
  member_id TEXT NOT NULL,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  -- When they came by it first, or again after the link was gone.
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, member_id, issuer, subject),
  FOREIGN KEY (tenant_id, member_id) REFERENCES members (tenant_id, id) ON DELETE CASCADE
) STRICT;
INSERT INTO sso_subjects (tenant_id, member_id, issuer, subject, seen_at)
SELECT l.tenant_id, l.member_id, l.issuer, l.subject, max(l.used_at) FROM sso_links l
JOIN members m ON m.tenant_id = l.tenant_id AND m.id = l.member_id GROUP BY l.tenant_id, l.member_id, l.issuer, l.subject;
