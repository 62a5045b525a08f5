import type { Authorize, Caller } from "../../../kernel/http/access.ts";
import { onAnswered } from "../../../kernel/http/answered.ts";
import { AppError, kernelFail } from "../../../kernel/http/errors.ts";
import { createBucketLimiter } from "../../../kernel/http/limit.ts";
import { assertNotForeign } from "../../../kernel/http/own-page.ts";
import { networkOf } from "../../../kernel/http/peer.ts";
import { takeOne } from "../../../kernel/http/too-many-requests.ts";
import { days } from "../../../lib/duration.ts";
import { holds, isAtLeast, type PanelRule, type Permission, type PermissionRule } from "../../access.ts";
import type { AccessEnds } from "../../access-ends.ts";
import { type Actor, countedAs } from "../../actor.ts";
import type { Standing } from "../../data/tenant-db.ts";
import type { MembershipRow } from "../tenants/index.ts";
import { fail } from "./contract.ts";
import { requireEntry, throughWorkspace } from "./entry.ts";
import type { Own } from "./needs.ts";
import { keptToken } from "./renewal-cookie.ts";
import { findSession } from "./store.ts";

/** How long somebody stays whom the workspace's own sign-in let in: whoever is gone there is gone here a day later. */
const WORKSPACE_SIGN_IN_MS = days(1);

/** A change that is undone because its doer's access ended counts as one that was refused for each so many milliseconds it was under way. */
const UNDONE_MS = 10;

/** Requests that do nothing which is written down. */
const READS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Whether a status says that nothing came of a request for what it asked or who did; 429 has a limit of its own. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 429;

/** A caller whose token is good, with what is known about them. */
interface Identity {
  actor: Actor;
  member: MembershipRow;
}

/** Finds out who sends a request; null for nobody, or whose session is over. */
export function createIdentify({ system, clock, config, tokens, tenants, openTenant }: Own) {
  return async (
    request: Request,
    whileExpired: boolean,
    standing?: Standing,
    /** When they were let in: asked from within a change of theirs, which holds rows that others wait for. */
    letInAt: number | null = null,
  ): Promise<Identity | null> => {
    // What runs out by its time while a change is under way is no end: it would be undone after all its work, as often as somebody likes.
    const at = letInAt ?? clock.now();
    const bearer = /^bearer (.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
    const token = bearer?.trim() ?? (whileExpired ? keptToken(request, config.allowed_origins) : null);
    const claims = token === null ? null : await tokens.verify(token, whileExpired, at);
    if (!claims) return null;
    const { tid, aid, uid, sid } = claims;
    // Both at once, and waited for as what else this account asks: whoever waits for a crowd must not wait twice. A change that is under way
    // asks as the panel itself: behind a queue that its own account makes long, it would keep others from the rows that it holds.
    const asked = letInAt === null ? system.onBehalfOf([tid, aid]) : system;
    const [session, found] = await Promise.all([findSession(asked, tid, sid), tenants.findMembership(tid, uid, asked)]);
    if (!session || session.ended_at !== null || session.member_id !== uid) return null;
    const isWsl = session.wsl === 1;
    if (isWsl && at - session.created_at > WORKSPACE_SIGN_IN_MS) return null;
    if (found?.member_status !== "active") return null;
    const member = isWsl ? throughWorkspace(found) : found;
    const { account_id, member_id, tenant_id, role } = member;
    // A password alone gives no rights over other people's workspaces.
    const is_staff = member.global_role === "admin" && member.has_factor === 1;
    return {
      member,
      actor: {
        account_id,
        member_id,
        tenant_id,
        role,
        is_staff,
        session_id: session.id,
        is_wsl: isWsl,
        db: openTenant(tenant_id, account_id, standing),
      },
    };
  };
}

/**
 * The guard's decision: credentials 401, rate 429, suspended workspace 403, paused directory 403, another sign-in than the workspace
 * wants 403, no second factor where one is wanted 403, permission 403, in this order.
 */
export function createAuthorize(own: Own, identify: ReturnType<typeof createIdentify>): Authorize<Actor, PanelRule> {
  const { clock, config, openTenant } = own;
  const anonymous = createBucketLimiter(clock, config.anonymous_rate, config.anonymous_rate * 2);
  const { session_rate } = config;
  const known = createBucketLimiter(clock, session_rate, session_rate * 2);
  // An account may have many sessions, and a workspace many members; neither may use the panel up for all others.
  const ofAccount = createBucketLimiter(clock, session_rate * 2, session_rate * 4);
  const ofWorkspace = createBucketLimiter(clock, session_rate * 10, session_rate * 20);
  const nobody: Actor = Object.freeze({
    account_id: "",
    member_id: "",
    tenant_id: "",
    role: "org_teacher",
    is_staff: false,
    session_id: "",
    is_wsl: false,
    db: openTenant("", ""),
  });

  async function asDirectory({ request, ip }: Caller, limit: typeof takeOne, standing?: Standing): Promise<Actor> {
    const token = /^bearer (.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1]?.trim() ?? "";
    const asked = token === "" ? [] : await Promise.all(own.lists.directories.all().map((find) => find(token)));
    const found = asked.find((one) => one !== null);
    if (!found) {
      limit(anonymous, networkOf(ip));
      throw kernelFail("unauthorized", {}, { "www-authenticate": "Bearer" });
    }
    limit(ofAccount, found.token_id);
    limit(ofWorkspace, found.tenant_id);
    if (found.is_suspended) throw fail("workspace_suspended", { name: found.workspace });
    if (found.refusal) throw found.refusal;
    const { tenant_id, token_id } = found;
    return {
      ...{ ...nobody, tenant_id, account_id: "directory", member_id: "directory" },
      ...{ session_id: token_id, db: openTenant(tenant_id, "directory", standing) },
    };
  }

  async function decide(
    caller: Caller,
    rule: PanelRule,
    standing?: Standing,
    letInAt: number | null = null,
  ): Promise<Actor> {
    const { request, ip, again } = caller;
    // What lasts was counted when it began.
    const limit = again === "lasting" ? () => {} : takeOne;
    if (rule.kind === "directory") return asDirectory(caller, limit, standing);
    if (rule.kind === "open") {
      limit(anonymous, networkOf(ip));
      if (!rule.foreign) assertNotForeign(request, config.allowed_origins);
      return nobody;
    }
    const found = await identify(request, rule.whileExpired === true, standing, letInAt);
    if (!found) {
      limit(anonymous, networkOf(ip));
      throw kernelFail("unauthorized");
    }
    limit(known, found.actor.session_id);
    limit(ofAccount, countedAs(found.actor));
    limit(ofWorkspace, found.actor.tenant_id);
    const { actor, member } = found;
    if (member.tenant_status === "suspended" && !rule.whileSuspended)
      throw fail("workspace_suspended", { name: member.tenant_name });
    if (!rule.whileUnenrolled) requireEntry(member);
    if (again !== "lasting" && !READS.has(request.method)) {
      own.audit.acts.requireRoom(countedAs(actor), rule.endsSessions);
      onAnswered(request, (status) => {
        if (isRefusal(status)) own.audit.acts.noteRefused(countedAs(actor));
      });
    }
    if (rule.staff) checkStaff(member);
    checkPermission(actor, rule);
    own.sightings.note(actor);
    return actor;
  }

  return async (caller, rule) => {
    const letInAt = clock.now();
    const begun = clock.monotonic();
    const standing = createStanding(
      own.accessEnds,
      () => decide({ ...caller, again: "lasting" }, rule, undefined, letInAt),
      (actor) => own.audit.acts.noteRefused(countedAs(actor), Math.ceil((clock.monotonic() - begun) / UNDONE_MS)),
    );
    return standing.letIn(await decide(caller, rule, standing.ask));
  };
}

/**
 * What stands from now on until somebody's access ends: then it is asked again whose that was. What was decided by the role that somebody
 * was let in with holds no longer where they have a lesser one, even if it would let them in as well. Throws `role_changed`.
 */
function createStanding(
  { epoch, isUnderWay }: Pick<AccessEnds, "epoch" | "isUnderWay">,
  askAgain: () => Promise<Actor>,
  /** Notes that what somebody did is undone. */
  noteUndone: (actor: Actor) => void,
) {
  let asked = epoch();
  let known: Actor | null = null;
  const askOnce = async () => {
    const actor = await askAgain();
    if (known && (!isAtLeast(actor.role, known.role) || (known.is_staff && !actor.is_staff)))
      throw fail("role_changed");
  };
  const ask: Standing = async () => {
    const now = epoch();
    if (now === asked && !isUnderWay()) return;
    try {
      await askOnce();
    } catch (error) {
      if (known && error instanceof AppError) noteUndone(known);
      throw error;
    }
    asked = now;
  };
  const letIn = (actor: Actor): Actor => {
    known = actor;
    return actor;
  };
  return { ask, letIn };
}

/**
 * For what belongs to an account in all its workspaces: whoever has the say about one workspace's sign-in must not reach the others by it.
 * Throws `reauth_required`.
 */
export function requireWholeAccount({ is_wsl }: Actor): void {
  if (is_wsl) throw fail("reauth_required");
}

/** For what only some inputs of a route need, of the caller's own role. Throws `permission_missing`, `staff_use_admin_console`. */
export const requireOwnPermission = (actor: Actor, permission: Permission): void =>
  checkPermission(actor, { permission, ownRole: true });

/** Whoever has the say about every workspace needs more than a password. Throws `staff_only`, `staff_factor_required`. */
function checkStaff({ global_role, has_factor }: MembershipRow): void {
  if (global_role !== "admin") throw fail("staff_only");
  if (has_factor === 0) throw fail("staff_factor_required");
}

/** Throws `permission_missing`; `staff_use_admin_console` to staff who are no such member of the workspace. */
function checkPermission(
  { role, is_staff }: Actor,
  { permission, ownRole }: Pick<PermissionRule, "permission" | "ownRole">,
): void {
  if (permission === null || holds(role, permission)) return;
  if (!is_staff) throw fail("permission_missing", { permission });
  if (ownRole) throw fail("staff_use_admin_console");
}
