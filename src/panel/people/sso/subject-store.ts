import type { Mark } from "../../base.ts";
import type { TenantTx } from "../../data/tenant-db.ts";
import type { LinkKey } from "./store.ts";

/** How many ways somebody had to come in are remembered for when they are removed: the last ones. */
const MARKS_MAX = 20;

type Subject = Pick<LinkKey, "issuer" | "subject">;

/** Who somebody at a provider is, whichever connector leads there. */
export const markOfSubject = ({ issuer, subject }: Subject): Mark => ({
  ...{ kind: "subject", value: JSON.stringify([issuer, subject]) },
});

/** Remembers who a member is at a provider for as long as they are a member: the link may go before. */
export async function rememberSubject(
  tx: TenantTx,
  memberId: string,
  { issuer, subject }: Subject,
  at: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO sso_subjects (tenant_id, member_id, issuer, subject, seen_at) VALUES (:tenant, ?, ?, ?, ?)
     ON CONFLICT (tenant_id, member_id, issuer, subject) DO UPDATE SET seen_at = excluded.seen_at`,
    [memberId, issuer, subject, at],
  );
  const last = await listSubjects(tx, memberId, MARKS_MAX + 1);
  for (const one of last.slice(MARKS_MAX))
    await tx.run(
      "DELETE FROM sso_subjects WHERE tenant_id = :tenant AND member_id = ? AND issuer = ? AND subject = ?",
      [...[memberId, one.issuer, one.subject]],
    );
}

function listSubjects(tx: TenantTx, memberId: string, limit: number): Promise<Subject[]> {
  const sql = `SELECT issuer, subject FROM sso_subjects WHERE tenant_id = :tenant AND member_id = ?
    ORDER BY seen_at DESC, issuer, subject LIMIT ?`;
  return tx.all(sql, [memberId, limit]);
}

const IS_OTHERS = `SELECT 1 AS one FROM sso_links l JOIN members m ON m.tenant_id = l.tenant_id AND m.id = l.member_id
  WHERE l.tenant_id = :tenant AND l.issuer = ? AND l.subject = ? AND m.id <> ? AND m.status = 'active' LIMIT 1`;

/** Who a member is or was at providers, but for whom another member is by now who stays. */
export async function listMarks(tx: TenantTx, memberId: string): Promise<Mark[]> {
  const marks: Mark[] = [];
  for (const one of await listSubjects(tx, memberId, MARKS_MAX))
    if ((await tx.get(IS_OTHERS, [one.issuer, one.subject, memberId])) === null) marks.push(markOfSubject(one));
  return marks;
}
