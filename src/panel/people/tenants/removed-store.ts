import { lookedFor } from "../../addresses.ts";
import type { Mark, PanelLists } from "../../base.ts";
import type { TenantQueries, TenantTx } from "../../data/tenant-db.ts";

/** How many a workspace remembers whose membership is gone: as many as a directory may ever bring. */
const REMOVED_MAX = 50_000;

/** The mark of an address. */
export const markOf = (email: string): Mark => ({ kind: "address", value: lookedFor(email) });

/** What is remembered of a removal. */
export interface Remembered {
  /** False where there is no room for more of those whose membership goes: it has to stay, disabled. */
  hasRoom: boolean;
  /** By which nobody brings them in again. */
  addresses: string[];
}

/**
 * Remembers that somebody in the workspace removes a member, whom nothing brings back by itself from then on, by none of their marks.
 */
export async function rememberRemoval(
  lists: Pick<PanelLists, "marks">,
  tx: TenantTx,
  memberId: string,
  at: number,
): Promise<Remembered> {
  const account = await tx.get<{ account_id: string }>(
    "SELECT account_id FROM members WHERE tenant_id = :tenant AND id = ?",
    [memberId],
  );
  if (account === null) return { hasRoom: true, addresses: [] };
  const { account_id } = account;
  await tx.run(
    `INSERT INTO removed_members (tenant_id, account_id, removed_at) VALUES (:tenant, ?, ?)
     ON CONFLICT (tenant_id, account_id) DO UPDATE SET removed_at = excluded.removed_at`,
    [account_id, await after(tx, "let_in_at", "members", at)],
  );
  const { addresses, others } = await listAddressesOf(lists, tx, memberId, []);
  for (const { kind, value } of [...addresses.map(markOf), ...others])
    await tx.run(
      `INSERT INTO removed_marks (tenant_id, account_id, kind, value) VALUES (:tenant, ?, ?, ?) ON CONFLICT DO NOTHING`,
      [account_id, kind, value],
    );
  const more = "SELECT 1 AS one FROM removed_members WHERE tenant_id = :tenant LIMIT 1 OFFSET ?";
  return { hasRoom: (await tx.get(more, [REMOVED_MAX])) === null, addresses };
}

/** By which addresses a workspace knows a member, those of `more` among them, and by what else. One that another has who stays is not theirs. */
export async function listAddressesOf(
  lists: Pick<PanelLists, "marks">,
  tx: TenantTx,
  memberId: string,
  more: readonly Mark[],
): Promise<{ addresses: string[]; others: Mark[] }> {
  const marks = [...(await listAddresses(tx, memberId)), ...more];
  for (const list of lists.marks.all()) marks.push(...(await list(tx, memberId)));
  const addresses: string[] = [];
  for (const address of new Set(marks.filter(({ kind }) => kind === "address").map(({ value }) => value)))
    if (!(await isOthers(tx, memberId, address))) addresses.push(address);
  return { addresses, others: marks.filter(({ kind }) => kind !== "address") };
}

/** A time that is later than all of a kind, whatever the clock says: which of two words came last has to be known for sure. */
async function after(
  tx: TenantTx,
  column: "let_in_at" | "removed_at",
  table: "members" | "removed_members",
  at: number,
): Promise<number> {
  const sql = `SELECT max(${column}) AS last FROM ${table} WHERE tenant_id = :tenant`;
  const last = (await tx.get<{ last: number | null }>(sql))?.last ?? null;
  return last === null ? at : Math.max(at, last + 1);
}

/**
 * The address of a member and those that their account had before. One that it never proved may be anybody's: it counts where the
 * workspace knew the member by it.
 */
async function listAddresses(tx: TenantTx, memberId: string): Promise<Mark[]> {
  const rows = await tx.all<{ email: string }>(
    `SELECT a.email FROM members m JOIN accounts a ON a.id = m.account_id WHERE m.tenant_id = :tenant AND m.id = ?
     UNION SELECT f.email FROM members m JOIN former_addresses f ON f.account_id = m.account_id
     WHERE m.tenant_id = :tenant AND m.id = ? AND (f.is_proven = 1 OR f.until > m.created_at)`,
    [memberId, memberId],
  );
  return rows.map(({ email }) => markOf(email));
}

/** True for an address that another member has by now, who stays. */
async function isOthers(tx: TenantTx, memberId: string, email: string): Promise<boolean> {
  const sql = `SELECT 1 AS one FROM accounts a JOIN members m ON m.account_id = a.id
    WHERE m.tenant_id = :tenant AND m.id <> ? AND m.status = 'active' AND a.email = ?`;
  return (await tx.get(sql, [memberId, email])) !== null;
}

/** Somebody who may be whom somebody removed. */
export interface Suspect {
  /** Null while they have none. */
  account_id: string | null;
  /** The membership that they have, or would have again; null for a newcomer. */
  member_id: string | null;
  marks: readonly Mark[];
  /** Whether the directory has an id of its own for them, where it is not among the marks. */
  hasId?: boolean;
}

const MARKED = `JOIN removed_marks k ON k.tenant_id = r.tenant_id AND k.account_id = r.account_id
  WHERE k.tenant_id = :tenant AND k.kind = ? AND k.value = ?`;
const HAS_NO_ID = `NOT EXISTS (SELECT 1 FROM removed_marks o WHERE o.tenant_id = r.tenant_id AND o.account_id = r.account_id
  AND o.kind = 'external_id')`;

/**
 * Whether somebody in the workspace removed whoever has this account or any of these marks. `over` where somebody let that very member in
 * after it: they know who that is. A name alone tells nobody whom the directory tells apart from them by ids of its own.
 */
export async function judgeRemoval(tx: TenantQueries, suspect: Suspect): Promise<"never" | "over" | "removed"> {
  const { account_id, member_id, marks } = suspect;
  const hasId = suspect.hasId ?? marks.some(({ kind }) => kind === "external_id");
  const last = async (from: string, values: string[]): Promise<number[]> => {
    const sql = `SELECT max(r.removed_at) AS at FROM removed_members r ${from} AND r.tenant_id = :tenant`;
    const at = (await tx.get<{ at: number | null }>(sql, values))?.at ?? null;
    return at === null ? [] : [at];
  };
  const times = account_id === null ? [] : await last("WHERE r.account_id = ?", [account_id]);
  for (const { kind, value } of marks) {
    const others = kind === "name" && hasId ? ` AND ${HAS_NO_ID}` : "";
    times.push(...(await last(`${MARKED}${others}`, [kind, value])));
  }
  if (times.length === 0) return "never";
  const sql = "SELECT let_in_at FROM members WHERE tenant_id = :tenant AND id = ?";
  const member = member_id === null ? null : await tx.get<{ let_in_at: number | null }>(sql, [member_id]);
  return (member?.let_in_at ?? -1) > Math.max(...times) ? "over" : "removed";
}

/** True for whom somebody in the workspace removed and nobody let in again since. */
export const isRemoved = async (tx: TenantQueries, suspect: Suspect): Promise<boolean> =>
  (await judgeRemoval(tx, suspect)) === "removed";

/**
 * Notes that somebody in the workspace lets a member in, and forgets that they were removed. Of another account's removal their address alone
 * is free again: it is theirs now, and says nothing of who had it.
 */
export async function letIn(tx: TenantTx, memberId: string, at: number): Promise<void> {
  const letInAt = await after(tx, "removed_at", "removed_members", at);
  await tx.run("UPDATE members SET let_in_at = ? WHERE tenant_id = :tenant AND id = ?", [letInAt, memberId]);
  const of = (column: string) =>
    `(SELECT ${column} FROM members m JOIN accounts a ON a.id = m.account_id WHERE m.tenant_id = :tenant AND m.id = ?)`;
  await tx.run(`DELETE FROM removed_members WHERE tenant_id = :tenant AND account_id = ${of("a.id")}`, [memberId]);
  const marks = `DELETE FROM removed_marks WHERE tenant_id = :tenant AND kind = 'address' AND value = ${of("a.email")}`;
  await tx.run(marks, [memberId]);
}

/** Forgets that whoever has a mark was removed, who has shown that they are somebody who was let in since. */
export async function forgetRemoval(tx: TenantTx, { kind, value }: Mark): Promise<void> {
  await tx.run(
    `DELETE FROM removed_members WHERE tenant_id = :tenant AND account_id IN (
       SELECT k.account_id FROM removed_marks k WHERE k.tenant_id = :tenant AND k.kind = ? AND k.value = ?)`,
    [kind, value],
  );
}
