import { toIso } from "../../../lib/clock.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { days } from "../../../lib/duration.ts";
import { forAccount, forVisitor } from "../../../shared/password/index.ts";
import type { LastingWay } from "../../base.ts";
import type { Origin } from "../sessions/index.ts";
import type { PasswordOutcome } from "../totp/index.ts";
import { type ChangedBy, presentUser, type User, type UserRow } from "../users/index.ts";
import {
  fail,
  type Invite,
  type InviteAcceptance,
  type InviteInfo,
  type InviteInput,
  type OpenInvite,
} from "./contract.ts";
import type { Needs } from "./needs.ts";
import * as store from "./store.ts";

const INVITE_MS = days(7);

/** Who makes a link, where, and the session and the paired device that they came in with. */
export interface Maker extends ChangedBy {
  session_id: string | null;
  device_id: string | null;
}

/** A link that nobody has been given yet; `expires_at` in milliseconds. */
interface Link {
  token: string;
  expires_at: number;
}

const drawLink = ({ clock, ids }: Needs): Link => ({ token: ids.token(24), expires_at: clock.now() + INVITE_MS });

const present = (user: User, { token, expires_at }: Link): Invite => ({
  user,
  token,
  link: `/invite#${token}`,
  expires_at: toIso(expires_at),
});

function storeLink(
  { db, bus }: Needs,
  { device_id: parent_device_id, session_id, ...by }: Maker,
  user: User,
  { token, expires_at }: Link,
): void {
  const origin = { made_by: by.actor_id, parent_device_id, session_id };
  const row = { user_id: user.id, token_hash: sha256Hex(token), expires_at, ...origin };
  db.tx(() => {
    store.saveInvite(db, row);
    bus.emit("invite.created", { ...by, user_id: user.id, username: user.username });
  });
}

/** Creates an account whose owner sets the password through a link. Throws `username_taken`. */
export async function inviteUser(needs: Needs, by: Maker, input: InviteInput): Promise<Invite> {
  const nobodyKnows = needs.ids.token(32);
  const link = drawLink(needs);
  const account = { ...input, password: nobodyKnows, whose: forAccount(by.actor_id, by.ip) };
  const user = await needs.users.create(account, {
    also(created) {
      needs.users.tellCreated({ actor_id: by.actor_id, ip: by.ip }, created);
      storeLink(needs, by, created, link);
    },
  });
  return present(user, link);
}

/** A new link for an account, replacing an earlier one. The password holds until the link is used. Throws `user_not_found`, `invite_self`. */
export function inviteAgain(needs: Needs, by: Maker, userId: string): Invite {
  const user = presentUser(needs.users.get(userId));
  // It would set the password of whoever is signed in without the one that holds, and nobody sees it wait.
  if (by.actor_id === userId) throw fail("invite_self");
  const link = drawLink(needs);
  storeLink(needs, by, user, link);
  return present(user, link);
}

/** The links that wait to be opened, those that end first at the front. */
export function listOpenInvites({ db, clock }: Needs): OpenInvite[] {
  return store.listInvites(db, clock.now()).map(({ user_id, username, maker_id, maker, expires_at }) => ({
    user_id,
    username,
    made_by: { id: maker_id, username: maker },
    expires_at: toIso(expires_at),
  }));
}

/** Ends the link that waits for an account. Throws `invite_not_found`. */
export function withdrawInvite({ db, bus, clock }: Needs, by: { actor_id: string; ip: string }, userId: string): void {
  db.tx(() => {
    if (!store.deleteInviteFor(db, userId, clock.now())) throw fail("invite_not_found");
    bus.emit("invite.withdrawn", { ...by, user_id: userId });
  });
}

/** Whether somebody could make a link now: one that they made is worth no more than that. */
function mayInvite({ users }: Pick<Needs, "users">, id: string): boolean {
  const maker = users.find(id);
  return maker?.role === "admin" && maker.disabled_at === null;
}

/** The account of a good token. Throws `invite_refused`, `too_many_requests`. */
function openInvite(
  { db, clock, users, signIns }: Needs,
  token: string,
  ip: string,
): { user: UserRow; row: store.InviteRow } {
  signIns.takeAttempt(ip);
  const row = store.findInvite(db, sha256Hex(token));
  if (!row || row.expires_at <= clock.now() || !mayInvite({ users }, row.made_by)) throw fail("invite_refused");
  const user = users.get(row.user_id);
  if (user.disabled_at !== null) throw fail("invite_refused");
  signIns.giveAttemptBack(ip);
  return { user, row };
}

/**
 * Links that could still give an account another password, and those that it made for others: whoever changes it has no use for the first,
 * and whoever was in with the old one may have kept one of the second.
 */
export const invitesWay = ({ db }: Pick<Needs, "db">): LastingWay => ({
  name: null,
  count: (userId) => store.countInvites(db, userId),
  endAllOf: (userId) => store.deleteInvitesOf(db, userId),
  endMadeBy: (deviceId) => store.deleteInvitesOfDevice(db, deviceId),
  endMadeIn: (sessionId) => store.deleteInvitesIn(db, sessionId),
  endGivenBy: (userId) => store.deleteInvitesBy(db, userId),
});

/** What a link is for, before a password is chosen. Throws `invite_refused`. */
export function lookAtInvite(needs: Needs, token: string, ip: string): InviteInfo {
  const { user, row } = openInvite(needs, token, ip);
  const count = (name: string) =>
    needs.lists.lastingWays
      .all()
      .filter((way) => way.name === name)
      .reduce((sum, way) => sum + way.count(user.id), 0);
  const lasting = {
    keys: count("keys"),
    devices: count("devices"),
    passkeys: count("passkeys"),
    webdav: count("webdav"),
  };
  return { username: user.username, role: user.role, expires_at: toIso(row.expires_at), lasting };
}

/**
 * Sets the password through a link, once, which counts as much as knowing it. Throws `invite_refused`,
 * `password_unusable`.
 */
export async function acceptInvite(needs: Needs, input: InviteAcceptance, origin: Origin): Promise<PasswordOutcome> {
  const { user, row } = openInvite(needs, input.token, origin.ip);
  const { ip } = origin;
  const going = { session_id: null, device_id: null, kept: input.keep ?? [], ip, whose: forVisitor(ip) };
  await needs.users.changePassword(user, input.password, going, {
    before() {
      if (!mayInvite(needs, row.made_by) || !store.deleteInvite(needs.db, row.token_hash)) throw fail("invite_refused");
    },
    after: (ended) => needs.bus.emit("invite.accepted", { user_id: user.id, ip, ended }),
  });
  if (needs.totp.isOn(user.id)) return needs.totp.awaitCode(user);
  return { status: "signed_in", done: needs.signIns.finish(user.id, origin, "invite", null) };
}
