import type { Authorize } from "../../../kernel/http/access.ts";
import { kernelFail } from "../../../kernel/http/errors.ts";
import { createBucketLimiter } from "../../../kernel/http/limit.ts";
import { assertNotForeign } from "../../../kernel/http/own-page.ts";
import { networkOf } from "../../../kernel/http/peer.ts";
import { holds, type PanelRule, type Permission, type PermissionRule } from "../../access.ts";
import type { Actor } from "../../actor.ts";
import type { MembershipRow } from "../tenants/index.ts";
import { fail } from "./contract.ts";
import type { Own } from "./needs.ts";
import { keptToken } from "./renewal-cookie.ts";
import { findSession } from "./store.ts";

/** A caller whose token is good, with what is known about them. */
interface Identity {
  actor: Actor;
  member: MembershipRow;
}

/** The guard's decision: credentials 401, rate 429, suspended workspace 403, permission 403, in this order. */
export function createAuthorize(own: Own): Authorize<Actor, PanelRule> {
  const { system, clock, config, tokens, tenants, openTenant } = own;
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
    db: openTenant(""),
  });

  function limit(limiter: typeof anonymous, key: string): void {
    const wait = limiter.take(key);
    if (wait > 0) throw kernelFail("too_many_requests", { retry_after_s: wait }, { "retry-after": String(wait) });
  }

  async function identify(request: Request, whileExpired: boolean): Promise<Identity | null> {
    const bearer = /^bearer (.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
    const token = bearer?.trim() ?? (whileExpired ? keptToken(request, config.allowed_origins) : null);
    const claims = token === null ? null : await tokens.verify(token, whileExpired);
    if (!claims) return null;
    const session = await findSession(system, claims.tid, claims.sid);
    if (!session || session.ended_at !== null) return null;
    const member = await tenants.findMembership(session.tenant_id, session.member_id);
    if (member?.member_status !== "active") return null;
    const { account_id, member_id, tenant_id, role } = member;
    const is_staff = member.global_role === "admin";
    return {
      member,
      actor: {
        account_id,
        member_id,
        tenant_id,
        role,
        is_staff,
        session_id: session.id,
        db: openTenant(tenant_id),
      },
    };
  }

  return async ({ request, ip }, rule) => {
    if (rule.kind === "open") {
      limit(anonymous, networkOf(ip));
      assertNotForeign(request, config.allowed_origins);
      return nobody;
    }
    const found = await identify(request, rule.whileExpired === true);
    if (!found) {
      limit(anonymous, networkOf(ip));
      throw kernelFail("unauthorized");
    }
    limit(known, found.actor.session_id);
    limit(ofAccount, found.actor.account_id);
    limit(ofWorkspace, found.actor.tenant_id);
    const { actor, member } = found;
    if (member.tenant_status === "suspended" && !rule.whileSuspended)
      throw fail("workspace_suspended", { name: member.tenant_name });
    checkPermission(actor, rule);
    own.sightings.note(actor);
    return actor;
  };
}

/** For what only some inputs of a route need. Throws `permission_missing`. */
export function requirePermission({ role, is_staff }: Actor, permission: Permission): void {
  if (!is_staff && !holds(role, permission)) throw fail("permission_missing", { permission });
}

/** Throws `permission_missing`; `staff_use_admin_console` to staff who are no such member of the workspace. */
function checkPermission({ role, is_staff }: Actor, { permission, ownRole }: PermissionRule): void {
  if (permission === null || holds(role, permission)) return;
  if (!is_staff) throw fail("permission_missing", { permission });
  if (ownRole) throw fail("staff_use_admin_console");
}
