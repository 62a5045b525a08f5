/** Sessions: the panel's tokens, what they stand for, and the guard that every route stands behind. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { Authorize } from "../../../kernel/http/access.ts";
import { days, hours, seconds } from "../../../lib/duration.ts";
import { describeDevice } from "../../../lib/user-agent.ts";
import type { PanelRule } from "../../access.ts";
import type { Actor } from "../../actor.ts";
import type { SystemTx, TenantTx } from "../../data/tenant-db.ts";
import type { MembershipRow } from "../tenants/index.ts";
import { createAuthorize, createIdentify } from "./authorize.ts";
import { fail, type LoginBody } from "./contract.ts";
import init from "./migrations/0001_sessions.sql" with { type: "text" };
import families from "./migrations/0002_session_families.sql" with { type: "text" };
import proofs from "./migrations/0003_proofs.sql" with { type: "text" };
import workspaceSignIn from "./migrations/0004_workspace_sign_in.sql" with { type: "text" };
import devices from "./migrations/0005_devices.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { REFRESH_WINDOW_MS } from "./renewal-cookie.ts";
import { createSightings } from "./sightings.ts";
import { loginBody, moveSession, startSession, type Visit } from "./sign-in.ts";
import {
  countOpen,
  deleteOldSessions,
  endAll,
  endFamily,
  endMemberSessions,
  endOtherSessions,
  endWorkspaceSignIns,
  findSession,
  forgetNetworks,
  isKnownNetwork,
  listSignIns,
  type OpenSignIn,
  proveSession,
  renewSession,
  type SessionRow,
} from "./store.ts";
import { createTokens } from "./tokens.ts";

export { requireOwnPermission, requireWholeAccount } from "./authorize.ts";
export { fail as sessionFail, LoginBody } from "./contract.ts";
export { hasEntry, requireEntry, throughWorkspace } from "./entry.ts";
export { leaveToken, takeToken } from "./renewal-cookie.ts";

export const sessionsFeature = defineFeature({
  name: "sessions",
  migrations: [init, families, proofs, workspaceSignIn, devices],
  errors: fail.table,
});

export interface Sessions extends Part {
  /** Decides about every request. */
  authorize: Authorize<Actor, PanelRule>;
  findSession(tx: SystemTx, tenantId: string, id: string): Promise<SessionRow | null>;
  /** Begins a session of a member whose identity has been proven; part of the caller's transaction. Gives its id. */
  startSession(tx: SystemTx, member: MembershipRow, visit: Visit): Promise<string>;
  /** As `startSession`, of somebody whom the workspace's own sign-in let in. */
  startWorkspaceSignIn(tx: SystemTx, member: MembershipRow, visit: Visit): Promise<string>;
  /** Ends the sessions that a workspace's own sign-in began, but for one. */
  endWorkspaceSignIns(tx: SystemTx, tenantId: string, keepId: string, at: number): Promise<void>;
  /**
   * Begins a session in another workspace in place of the one given, whose tokens cannot be renewed from then on, and holds its account still
   * until the transaction ends. Throws `session_replaced` when that has happened before, `reauth_required` for one that a workspace's own sign-in began.
   */
  moveSession(
    tx: SystemTx,
    from: { tenant_id: string; session_id: string; ip: string },
    member: MembershipRow,
  ): Promise<string>;
  /** The answer of every way in: a token for the session and the person. */
  loginBody(sessionId: string, member: MembershipRow): Promise<LoginBody>;
  /** Notes that the session's token was made anew. `at` in milliseconds. */
  renewSession(tx: SystemTx, tenantId: string, id: string, at: number): Promise<void>;
  /** Notes that whoever holds the session proved who they are. `at` in milliseconds. */
  proveSession(tx: SystemTx, tenantId: string, id: string, at: number): Promise<void>;
  /** Ends a session and all that took one another's place before and after it; their tokens are refused from then on. */
  endFamily(tx: SystemTx, accountId: string, family: string, at: number): Promise<void>;
  /** True when the account signed in from this network (`networkOf`) lately. */
  isKnownNetwork(accountId: string, network: string): Promise<boolean>;
  /** The sign-ins of an account that go on, in all its workspaces, the last used first. */
  listSignIns(accountId: string, tx?: SystemTx): Promise<OpenSignIn[]>;
  /** Ends every session of an account but one. */
  endOtherSessions(tx: SystemTx, accountId: string, keepId: string, at: number): Promise<void>;
  /** Who sends a request, for routes that are open to all; null for nobody. */
  findCaller(request: Request): Promise<Actor | null>;
  /** Ends every session of a member in their workspace. */
  endMemberSessions(tx: TenantTx, memberId: string, at: number): Promise<void>;
}

/** More than an account can have. */
const MAX_SIGN_INS = 500;

const beginning = ({ ip, request }: Visit) => ({
  ip,
  device: describeDevice(request?.headers.get("user-agent") ?? null),
  family: null,
  provenAt: null,
});

export function createSessions(needs: Needs): Sessions {
  const { accessEnds, tenants } = needs;
  const sightings = createSightings(needs);
  const own = { ...needs, tokens: createTokens(needs), sightings };
  const identify = createIdentify(own);
  needs.lists.callers.add(async (request) => (await identify(request, false))?.actor.tenant_id ?? null);
  needs.lists.ways.add(forgetNetworks);
  needs.lists.admissions.add({ words: ["session", "sessions"], asked: null, count: countOpen, end: endAll });
  return {
    feature: sessionsFeature,
    authorize: createAuthorize(own, identify),
    jobs: [
      { name: "sessions.seen", everyMs: seconds(10), run: sightings.flush },
      {
        name: "sessions.forget",
        everyMs: hours(1),
        run: () => deleteOldSessions(needs.system, needs.clock.now() - REFRESH_WINDOW_MS - days(1)),
      },
    ],
    ...{ findSession, proveSession, renewSession },
    async endFamily(tx, accountId, family, at) {
      accessEnds.ended(tx, accountId);
      await tenants.lockAccount(tx, accountId);
      await endFamily(tx, accountId, family, at);
    },
    async endOtherSessions(tx, accountId, keepId, at) {
      accessEnds.ended(tx, accountId);
      // A session that moves meanwhile to another workspace would begin there unseen.
      await tenants.lockAccount(tx, accountId);
      await endOtherSessions(tx, accountId, keepId, at);
    },
    endMemberSessions(tx, memberId, at) {
      accessEnds.ended(tx, memberId);
      return endMemberSessions(tx, memberId, at);
    },
    endWorkspaceSignIns(tx, tenantId, keepId, at) {
      accessEnds.ended(tx, tenantId);
      return endWorkspaceSignIns(tx, tenantId, keepId, at);
    },
    isKnownNetwork: (accountId, network) => isKnownNetwork(needs.system, accountId, network),
    startSession: (tx, member, visit) => startSession(own, tx, member, { ...beginning(visit), isWsl: false }),
    startWorkspaceSignIn: (tx, member, visit) => startSession(own, tx, member, { ...beginning(visit), isWsl: true }),
    listSignIns: (accountId, tx) =>
      listSignIns(tx ?? needs.system, accountId, needs.clock.now() - REFRESH_WINDOW_MS, MAX_SIGN_INS),
    moveSession: (tx, from, member) => moveSession(own, tx, from, member),
    loginBody: (sessionId, member) => loginBody(own, sessionId, member),
    findCaller: async (request) => (await identify(request, false))?.actor ?? null,
  };
}
