import { toIso } from "../../../lib/clock.ts";
import { minutes } from "../../../lib/duration.ts";
import { forVisitor } from "../../../shared/password/index.ts";
import type { Role } from "../../access.ts";
import type { PanelReader } from "../../base.ts";
import type { SignIn } from "../../people/sign-ins/index.ts";
import {
  findPerson,
  insertPerson,
  markEnded,
  type PersonRow,
  updateRoleTold,
  updateVisit,
} from "../panel-link/index.ts";
import { fail } from "./contract.ts";
import type { Own, Visitor } from "./needs.ts";
import { useIdentity } from "./store.ts";

type Deps = Pick<Own, "db" | "clock" | "ids" | "users" | "signIns" | "turn" | "panelLink">;
type Origin = { ip: string; device: string };

/** An identity ends after one minute, and clocks may differ by another one. */
const REMEMBERED_MS = minutes(5);
const PASSWORD_BYTES = 32;
const LONGEST_NAME = 60;
/** What people are here by what they are in the workspace; nobody else gets in. */
const ROLES = new Map<string, Role>([
  ["org_owner", "admin"],
  ["org_admin", "admin"],
  ["org_manager", "member"],
  ["org_viewer", "viewer"],
]);

/**
 * Signs somebody in whom the panel has told us of, once for each telling. Who comes for the first time gets an account of
 * their own, with a password that nobody knows; who has another role in the workspace than last time has it here too. Throws
 * `panel_token_refused`, also when the node has left that panel meanwhile, even if it has come back, `panel_said_no`,
 * `panel_user_disabled`.
 */
export async function admitVisitor(deps: Deps, identity: Visitor, origin: Origin): Promise<SignIn> {
  const { db, clock, users } = deps;
  const role = ROLES.get(identity.role);
  if (role === undefined) throw fail("panel_said_no", { reason: "your role there does not let you in" });
  const now = clock.now();
  if (identity.until !== undefined && identity.until <= now - deps.panelLink.aheadMs())
    throw fail("panel_token_refused");
  if (!db.tx(() => useIdentity(db, identity.id, now + REMEMBERED_MS, now))) throw fail("panel_token_refused");
  const userId = await deps.turn(
    async () => findVisitor(deps, identity, role, origin.ip) ?? (await addVisitor(deps, identity, role, origin.ip)),
  );
  return db.tx(() => {
    requireLink(deps, identity);
    if (users.find(userId)?.disabled_at !== null) throw fail("panel_user_disabled");
    const { until } = identity;
    if (until !== undefined) deps.panelLink.tellVisit({ by: userId, until: toIso(until), ip: origin.ip });
    return deps.signIns.finish(userId, origin, "panel", null);
  });
}

/** Throws `panel_token_refused` when the link is over by which a panel told of somebody. */
function requireLink({ panelLink }: Pick<Own, "panelLink">, { revision }: Visitor): void {
  if (!panelLink.holds(revision)) throw fail("panel_token_refused");
}

/** Whether an account is off for another reason than that the node had left the panel it came over. */
const isOff = (disabledAt: string | null | undefined, { ended_at }: PersonRow): boolean =>
  disabledAt !== null && disabledAt !== ended_at;

/**
 * What somebody of the panel is here: who came before, what they are here now; anybody else, what they would come as. Null for
 * who is not let in.
 */
export function readerOf(
  { db, users, panelLink }: Pick<Own, "db" | "users" | "panelLink">,
  { account_id, role: roleThere }: { account_id: string; role: string },
): PanelReader | null {
  const role = ROLES.get(roleThere);
  const membership = panelLink.membership();
  if (role === undefined || membership === null) return null;
  const known = findPerson(db, { membership, account_id });
  if (!known) return { role, user_id: null };
  const user = users.find(known.user_id);
  if (!user || isOff(user.disabled_at, known)) return null;
  // What an admin here made of them holds until the panel says otherwise.
  return { role: known.role === role ? user.role : role, user_id: known.user_id };
}

/**
 * Who came before, as what the panel calls them now: what an admin here made of them holds until the panel says otherwise. An account
 * that was switched off only because the node had left this panel is on again.
 */
function findVisitor(deps: Deps, identity: Visitor, role: Role, ip: string): string | null {
  const { db, users } = deps;
  return db.tx(() => {
    requireLink(deps, identity);
    const known = findPerson(db, identity);
    if (!known) return null;
    const { user_id } = known;
    const row = users.find(user_id);
    if (known.ended_at !== null) {
      if (row?.disabled_at === known.ended_at) users.change({ actor_id: user_id, ip }, user_id, { disabled: false });
      markEnded(db, user_id, null);
    }
    updateVisit(db, identity, identity.until ?? null);
    if (known.role === role) return user_id;
    const isAdmin = row?.role === "admin" && row.disabled_at === null;
    if (isAdmin && role !== "admin" && users.countActiveAdmins() === 1)
      throw fail("panel_said_no", { reason: "you are no admin there any more, and this server has no other one yet" });
    users.change({ actor_id: user_id, ip }, user_id, { role });
    updateRoleTold(db, identity, role);
    return user_id;
  });
}

async function addVisitor(deps: Deps, identity: Visitor, role: Role, ip: string): Promise<string> {
  const { db, clock, ids, users } = deps;
  const username = freeName(deps, identity.email);
  const { membership, account_id, email } = identity;
  const account = { username, password: ids.token(PASSWORD_BYTES), role, whose: forVisitor(ip), isTemporary: false };
  const { id } = await users.create(account, {
    isAllowed: () => requireLink(deps, identity),
    also(user) {
      insertPerson(db, {
        membership,
        account_id,
        email,
        user_id: user.id,
        role,
        linked_at: toIso(clock.now()),
        visit_until: identity.until ?? null,
      });
      users.tellCreated({ actor_id: user.id, ip }, user);
    },
  });
  return id;
}

/** A user name like the address, and free. An account of the same name is somebody else until an admin says otherwise. */
function freeName({ users, ids }: Deps, email: string): string {
  const plain = email.replace(/[^A-Za-z0-9._@+-]/g, "-").replace(/^[^A-Za-z0-9]+/, "");
  const wish = plain.slice(0, LONGEST_NAME) || "panel";
  if (!users.findCredentials(wish)) return wish;
  return `${wish.slice(0, LONGEST_NAME - 10)}-${ids.code(6, "abcdefghjkmnpqrstuvwxyz23456789")}`;
}
