import type { AskAgain, Authorize, Caller } from "../../../kernel/http/access.ts";
import { kernelFail } from "../../../kernel/http/errors.ts";
import { createBucketLimiter } from "../../../kernel/http/limit.ts";
import { assertNotForeign, assertSameOrigin } from "../../../kernel/http/own-page.ts";
import { networkOf } from "../../../kernel/http/peer.ts";
import { takeOne } from "../../../kernel/http/too-many-requests.ts";
import { assertIncluded } from "../../../shared/plans/index.ts";
import { type KeyUse, type NodeRule, RANK, type Role, type SessionRule } from "../../access.ts";
import type { Actor } from "../../actor.ts";
import { coversScope, keyFail } from "../keys/index.ts";
import { DEVICE_PREFIX } from "../paired-devices/index.ts";
import type { SessionRow } from "../sessions/index.ts";
import { readAccessToken } from "../sign-ins/index.ts";
import { fail } from "./contract.ts";
import type { Needs } from "./needs.ts";

/** What an open route sees instead of a user. */
const NOBODY: Actor = Object.freeze({
  user_id: "",
  username: "",
  role: "viewer",
  credential: "none",
  key: null,
  device_id: null,
  session_id: null,
  locked: false,
});

/** A recognised caller and what limits them beyond their role. */
interface Identity {
  actor: Actor;
  /** Scopes of an API key; `*` for everything else. */
  scopes: string;
  /** Key of the caller's rate limit. */
  limitKey: string;
  hasTemporaryPassword: boolean;
}

type Proven = Pick<Actor, "user_id" | "credential" | "key" | "device_id" | "session_id"> &
  Pick<Identity, "scopes" | "limitKey">;

/** Programs that mirror folders ask many times as often as a page, and what they are refused they lose. */
const DAV_RATE = 20;

/** What the guard decides: credentials 401, rate 429, locked 423, what keys may 403, role 403, component 404, plan 402, in this order. */
export interface Guard {
  authorize: Authorize<Actor, NodeRule>;
  /**
   * Whoever has a smaller role now than when they were let in is refused too: what is under way may have been begun by the bigger one. That
   * a token has run out meanwhile takes nothing away.
   */
  askAgain: AskAgain<Actor, NodeRule>;
}

/** Makes the guard. */
export function createGuard(needs: Needs): Guard {
  const { clock, config, lock, sessions, users } = needs;
  const anonymous = createBucketLimiter(clock, config.anonymous_rate, config.anonymous_rate * 2);
  const signedIn = createBucketLimiter(clock, config.session_rate, config.session_rate * 2);
  const mounted = createBucketLimiter(clock, config.session_rate * DAV_RATE, config.session_rate * DAV_RATE * 2);

  function checkComponent(id: string): void {
    for (const refusalOf of needs.lists.absences.all()) {
      const refusal = refusalOf(id);
      if (refusal) throw refusal;
    }
  }

  function checkPlan(feature: string): void {
    const plan = needs.plan();
    try {
      assertIncluded(plan, feature);
    } catch (error) {
      needs.log.info("plan gate refused a call", { feature, plan });
      throw error;
    }
  }

  // A stream is judged again while it lasts; only its beginning is a sign of life.
  function isLocked(session: SessionRow, { again, ip }: Caller): boolean {
    // A lock keeps from what is asked for, and not from what was given already.
    if (again === "sent") return false;
    if (session.locked_at !== null) return true;
    return again === undefined ? lock.note(session, ip) : lock.lockIfIdle(session, ip);
  }

  /** An access token outlives its sign-out until it runs out, but nothing that lasts does. */
  const isOver = (session: SessionRow, { again }: Caller): boolean =>
    session.is_cut === 1 || ((again === "lasting" || again === "sent") && session.revoked_at !== null);

  function identify(proven: Proven | null, caller: Caller): Identity | null {
    const user = proven && users.find(proven.user_id);
    if (!proven || !user || user.disabled_at !== null) return null;
    const session = proven.session_id === null ? null : sessions.find(proven.session_id);
    if (proven.session_id !== null && (!session || isOver(session, caller))) return null;
    const actor: Actor = {
      user_id: user.id,
      username: user.username,
      role: user.role,
      credential: proven.credential,
      key: proven.key,
      device_id: proven.device_id ?? session?.parent_device_id ?? null,
      session_id: proven.session_id,
      locked: session !== null && isLocked(session, caller),
    };
    const { scopes, limitKey } = proven;
    return { actor, scopes, limitKey, hasTemporaryPassword: user.must_change_password === 1 };
  }

  function checkRole({ actor, hasTemporaryPassword }: Identity, role: Role, isForTemporary = false): void {
    if (RANK[actor.role] < RANK[role]) throw kernelFail("forbidden", { role });
    if (hasTemporaryPassword && !isForTemporary) throw fail("password_change_required");
  }

  /** What a session's rule asks besides that it is somebody's. */
  function check(known: Identity, rule: SessionRule, role: Role = rule.role): Actor {
    const { actor } = known;
    if (actor.locked && !rule.whileLocked) throw kernelFail("locked");
    assertKeyMay(known, rule.scope, rule.keys);
    checkRole(known, role, rule.whileTemporary);
    if (rule.component !== undefined) checkComponent(rule.component);
    if (rule.feature !== undefined) checkPlan(rule.feature);
    return actor;
  }

  function askAgain(was: Actor, caller: Caller, rule: NodeRule): void {
    // Nobody has nothing to lose.
    if (was.user_id === "") return;
    const known = identify(proveAgain(needs, was, caller.request), caller);
    if (!known) throw kernelFail("unauthorized");
    if (rule.kind === "session") check(known, rule, was.role);
    else if (rule.kind === "dav") {
      checkRole(known, was.role);
      checkComponent(rule.component);
    }
  }

  const authorize: Guard["authorize"] = async (caller, rule) => {
    const { request, ip, again } = caller;
    // Asked once for a request, however often it is decided.
    const limitOnce = (limiter: typeof anonymous, key: string) => again === undefined && takeOne(limiter, key);
    if (rule.kind === "dav") {
      assertNotForeign(request, config.allowed_origins);
      const shown = request.headers.get("authorization");
      const known = identify(proveProgram(needs, shown), caller);
      if (!known) {
        limitOnce(anonymous, networkOf(ip));
        throw needs.davPasswords.refusal(shown, ip);
      }
      limitOnce(mounted, known.limitKey);
      checkRole(known, rule.role);
      checkComponent(rule.component);
      return known.actor;
    }
    if (rule.kind === "open") {
      if (!rule.ownKey) limitOnce(anonymous, networkOf(ip));
      assertNotForeign(request, config.allowed_origins);
      if (rule.untilSetUp && users.count() > 0) throw fail("setup_done");
      if (!rule.orUser) return NOBODY;
      const known = identify(await proveCaller(needs, request), caller);
      if (known) assertKeyMay(known, null, "never");
      return known?.actor ?? NOBODY;
    }
    const known = identify(recallCaller(needs, request) ?? (await proveCaller(needs, request)), caller);
    if (!known) {
      limitOnce(anonymous, networkOf(ip));
      throw kernelFail("unauthorized");
    }
    // Before the rest: what is refused costs the server as much, and is how somebody would feel for what they may not do.
    limitOnce(signedIn, known.limitKey);
    return check(known, rule);
  };

  return { authorize, askAgain };
}

/** Throws `key_scope` and `key_cannot_grant` for an API key that may not use a route. */
function assertKeyMay({ actor, scopes }: Identity, scope: string | null, keys: KeyUse | undefined): void {
  if (actor.key === null) return;
  if (!coversScope(scopes, scope)) throw keyFail("key_scope");
  if (keys === "never") throw keyFail("key_cannot_grant");
}

const ofSession = (user_id: string, session_id: string | null): Proven => ({
  user_id,
  credential: "session",
  key: null,
  device_id: null,
  session_id,
  scopes: "*",
  limitKey: session_id ?? user_id,
});

/** What the WebDAV password of a program proves; null when there is none or it is not good. */
function proveProgram({ davPasswords }: Needs, shown: string | null): Proven | null {
  const password = davPasswords.check(shown);
  if (password === null) return null;
  const { id, user_id } = password;
  return { user_id, credential: "dav", key: null, device_id: null, session_id: null, scopes: "*", limitKey: id };
}

/** Like `proveCaller`, at once, for the bearer of an access token that was checked before: nearly every request of a program. */
function recallCaller({ sessions }: Needs, request: Request): Proven | null {
  const { headers } = request;
  if (headers.has("x-api-key")) return null;
  const bearer = headers.get("authorization");
  const claims = bearer?.startsWith("Bearer ") ? sessions.tokens.recall(bearer.slice(7)) : null;
  return claims ? ofSession(claims.user_id, claims.session_id) : null;
}

/** What the credentials of a request prove; null when there are none or they are not good. */
async function proveCaller(needs: Needs, request: Request): Promise<Proven | null> {
  const { config, sessions } = needs;
  if (request.headers.has("x-api-key")) return proveKey(needs, request);
  const credential = readAccessToken(request);
  if (!credential) return null;
  if (credential.token.startsWith(DEVICE_PREFIX)) {
    const device = proveDevice(needs, credential.token);
    if (device && credential.fromCookie) assertSameOrigin(request, config.allowed_origins);
    return device;
  }
  const claims = await sessions.tokens.verify(credential.token);
  if (!claims) return null;
  if (credential.fromCookie) assertSameOrigin(request, config.allowed_origins);
  return ofSession(claims.user_id, claims.session_id);
}

/** What the API key of a request proves; null when it is not good. */
function proveKey({ keys }: Needs, { headers }: Request): Proven | null {
  const key = keys.check(headers.get("x-api-key") ?? "");
  if (!key) return null;
  const { id, user_id, scopes, expires_at } = key;
  const shown = { key: { id, scopes, expires_at }, device_id: null, session_id: null };
  return { user_id, credential: "key", ...shown, scopes, limitKey: id };
}

/** What the token of a paired device proves; null when it is not good. */
function proveDevice({ pairedDevices }: Needs, token: string): Proven | null {
  const device = pairedDevices.check(token);
  if (!device) return null;
  const shown = { key: null, device_id: device.id, session_id: null };
  return { user_id: device.user_id, credential: "device", ...shown, scopes: "*", limitKey: device.id };
}

/** What somebody who was let in by a request can prove by it now, at once; null when it is not good any more. */
function proveAgain(needs: Needs, was: Actor, request: Request): Proven | null {
  switch (was.credential) {
    case "key":
      return proveKey(needs, request);
    case "device":
      return proveDevice(needs, readAccessToken(request)?.token ?? "");
    case "dav":
      return proveProgram(needs, request.headers.get("authorization"));
    default:
      return ofSession(was.user_id, was.session_id);
  }
}
