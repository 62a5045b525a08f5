import { toIso } from "../../../lib/clock.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { days } from "../../../lib/duration.ts";
import type { Actor } from "../../actor.ts";
import type { Ousted, Removed } from "../../base.ts";
import type { SystemTx, TenantTx } from "../../data/tenant-db.ts";
import { byMember } from "../../event-meaning.ts";
import { readOutcome } from "../../platform/mail/index.ts";
import {
  type BulkDone,
  type BulkInput,
  EMAILS_MAX,
  fail,
  type Invitation,
  type Invited,
  OPEN_MAX,
} from "./contract.ts";
import { queueLetter } from "./letter.ts";
import { linkOf } from "./link.ts";
import type { Needs } from "./needs.ts";
import { readAddresses } from "./read-addresses.ts";
import {
  countOpen,
  deleteAllOpen,
  deleteInvitation,
  deleteOpenTo,
  findObstacle,
  findOpen,
  type InvitationRow,
  insertInvitation,
  listInvitations,
  prolong,
  replaceLink,
  type ToldRow,
} from "./store.ts";

/** How long an invitation is good. */
const LIFETIME_MS = days(7);

/** From where somebody asks, and at which address of the panel: links that are handed out lead there. */
interface Caller {
  ip: string;
  origin: string;
}

const sendsMail = ({ mail }: Pick<Needs, "mail">): boolean => mail.missing().length === 0;

function present(row: ToldRow, now: number): Invitation {
  const expired = row.expires_at <= now ? "expired" : "pending";
  return {
    ...{ id: row.id, email: row.email, role: row.role },
    state: row.accepted_at === null ? expired : "accepted",
    invited_by: row.inviter,
    created_at: toIso(row.created_at),
    expires_at: toIso(row.expires_at),
    accepted_at: row.accepted_at === null ? null : toIso(row.accepted_at),
    mail: row.accepted_at === null ? readOutcome(row) : null,
  };
}

/** The invitations of the caller's workspace, those still open first. */
export async function listOwn(needs: Pick<Needs, "clock" | "mail">, { db }: Actor) {
  const rows = await listInvitations(db, OPEN_MAX * 2);
  return { items: rows.map((row) => present(row, needs.clock.now())), by_mail: sendsMail(needs) };
}

/**
 * Invites everybody whose address can be used; the others are named with the reason. `take` counts one letter or link. Throws
 * `invalid_request`, `owner_invites_owners`, `too_many_invitations`, `too_many_requests`.
 */
export function inviteAll(
  needs: Needs,
  actor: Actor,
  { ip, origin }: Caller,
  { emails, role, language = null }: BulkInput,
  take: (count: number) => void,
): Promise<BulkDone> {
  const { tenant_id } = actor;
  const { right, wrong } = readAddresses(emails, EMAILS_MAX);
  if (role === "org_owner" && actor.role !== "org_owner") throw fail("owner_invites_owners");
  take(right.length);
  return needs.system.by(actor).tx(async (tx) => {
    // Two may invite the same people at once.
    await needs.tenants.lockMembers(tx, tenant_id);
    const skipped: BulkDone["skipped"] = wrong.map((email) => ({ email, reason: "invalid email" }));
    const invited: Invited[] = [];
    for (const email of right) {
      const reason = await findObstacle(tx, tenant_id, email, needs.clock.now());
      if (reason === null) invited.push(await invite(needs, tx, actor, { ip, origin }, { email, role, language }));
      else skipped.push({ email, reason });
    }
    if (invited.length > 0 && (await countOpen(tx, tenant_id, needs.clock.now())) > OPEN_MAX)
      throw fail("too_many_invitations", { limit: OPEN_MAX });
    return { invited, skipped };
  });
}

async function invite(
  needs: Needs,
  tx: SystemTx,
  actor: Actor,
  { ip, origin }: Caller,
  { email, role, language }: Pick<InvitationRow, "email" | "role" | "language">,
): Promise<Invited> {
  const created_at = needs.clock.now();
  const token = sendsMail(needs) ? null : needs.ids.token(32);
  const row = { id: needs.ids.next("inv"), email, role, language, created_at, expires_at: created_at + LIFETIME_MS };
  const link_hash = token === null ? null : sha256Hex(token);
  await insertInvitation(tx, actor.tenant_id, { ...row, invited_by: actor.member_id, link_hash });
  await needs.bus.emit(tx, "team.invite", { by: byMember(actor, ip), invitation_id: row.id, email, role });
  if (token === null) await queueLetter(needs, tx, actor.tenant_id, row);
  const stored = await findOpen(tx, actor.tenant_id, row.id);
  if (!stored) throw fail("invitation_not_found", { id: row.id });
  return { ...present(stored, created_at), url: token === null ? null : linkOf(origin, token) };
}

/**
 * Sends the letter anew, good for as long as a new one; `take` counts it. Throws `invitation_not_found`, `invitation_mail_off`,
 * `too_many_requests`.
 */
export function resend(needs: Needs, actor: Actor, ip: string, id: string, take: () => void): Promise<Invitation> {
  return changeOpen(needs, actor, id, async (tx, row) => {
    if (!sendsMail(needs)) throw fail("invitation_mail_off");
    take();
    await renew(needs, tx, actor, row);
    await queueLetter(needs, tx, actor.tenant_id, row);
    const event = { by: byMember(actor, ip), invitation_id: id, email: row.email };
    await needs.bus.emit(tx, "team.invite_resend", event);
    const renewed = await findOpen(tx, actor.tenant_id, id);
    return present(renewed ?? row, needs.clock.now());
  });
}

/** A link to hand out, in place of the one before. Throws `invitation_not_found`. */
export function makeLink(needs: Needs, actor: Actor, { ip, origin }: Caller, id: string) {
  return changeOpen(needs, actor, id, async (tx, row) => {
    const expires_at = await renew(needs, tx, actor, row);
    const token = needs.ids.token(32);
    await replaceLink(tx, actor.tenant_id, id, sha256Hex(token));
    const event = { by: byMember(actor, ip), invitation_id: id, email: row.email };
    await needs.bus.emit(tx, "team.invite_link", event);
    return { url: linkOf(origin, token), expires_at: toIso(expires_at) };
  });
}

/** Takes one back: neither link nor letter opens anything from then on. Throws `invitation_not_found`. */
export function revoke(needs: Needs, actor: Actor, ip: string, id: string): Promise<void> {
  return changeOpen(needs, actor, id, async (tx, { email }) => {
    await deleteInvitation(tx, actor.tenant_id, id);
    await needs.bus.emit(tx, "team.invite_revoke", { by: byMember(actor, ip), invitation_id: id, email });
  });
}

/** Takes back all of a workspace whose owner did not make them; gives how many were open. */
export async function revokeAll(
  { bus, clock }: Pick<Needs, "bus" | "clock">,
  tx: SystemTx,
  { tenant_id, by }: Ousted,
): Promise<number> {
  const ended = await deleteAllOpen(tx, tenant_id, clock.now());
  for (const { id, email } of ended) await bus.emit(tx, "team.invite_revoke", { by, invitation_id: id, email });
  return ended.length;
}

/** Takes back those to the addresses of somebody whose access ends or began in another way: whoever made them did not know of it. */
export async function revokeTo({ bus, clock }: Pick<Needs, "bus" | "clock">, tx: TenantTx, { by, addresses }: Removed) {
  for (const address of addresses)
    for (const { id, email } of await deleteOpenTo(tx, address, clock.now()))
      await bus.emit(tx, "team.invite_revoke", { by, invitation_id: id, email });
}

/** An invitation is good for as long as a new one, and stands by the word of whoever renews it. */
async function renew(
  { clock }: Pick<Needs, "clock">,
  tx: SystemTx,
  { tenant_id, member_id }: Actor,
  { id }: InvitationRow,
): Promise<number> {
  const expires_at = clock.now() + LIFETIME_MS;
  await prolong(tx, tenant_id, id, { expires_at, invited_by: member_id });
  return expires_at;
}

/** What changes an open invitation; whoever could not have made it must not prolong it. */
function changeOpen<Out>(
  { system }: Pick<Needs, "system">,
  actor: Actor,
  id: string,
  change: (tx: SystemTx, row: ToldRow) => Promise<Out>,
): Promise<Out> {
  return system.by(actor).tx(async (tx) => {
    const row = await findOpen(tx, actor.tenant_id, id);
    if (!row) throw fail("invitation_not_found", { id });
    if (row.role === "org_owner" && actor.role !== "org_owner") throw fail("owner_invites_owners");
    return change(tx, row);
  });
}
