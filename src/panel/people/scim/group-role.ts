import { doPart } from "../../../lib/part.ts";
import { type By, byPanel } from "../../event-meaning.ts";
import type { GivenRole } from "../sso/contract.ts";
import { type Change, changeByHand, PART } from "./change.ts";
import { type DirectoryGroup, fail } from "./contract.ts";
import * as store from "./group-store.ts";
import type { Needs, Own } from "./needs.ts";
import { settleRole } from "./roles.ts";

/** Groups that one round goes on with. */
const PER_ROUND = 100;

/**
 * Says what being in a group makes somebody here. Its members are told some in a transaction, and how far that came stands in the
 * group's row: what breaks off in between is carried on. Throws `scim_group_not_found`.
 */
export async function setGroupRole(needs: Needs, by: By, id: string, role: GivenRole | null): Promise<DirectoryGroup> {
  const { isLast, ...told } = await changeByHand(needs, by, async (at) => {
    const group = await store.findGroup(at.own, id);
    if (!group) throw fail("scim_group_not_found", { id });
    const { display_name: name, role: previous_role } = group;
    await store.updateGroupRole(at.own, id, role, needs.clock.now());
    if (role !== previous_role)
      await needs.bus.emit(at.tx, "scim.group_role", { by, group_id: id, name, role, previous_role });
    const members = await store.countMembers(at.own, id);
    return { id, name, role, members, isLast: await settleNext(needs, at, id) };
  });
  if (!isLast) await settleRest(needs, by, id);
  return told;
}

/** Gives the next members of a group what its role makes of them; true when nobody is left. */
async function settleNext(needs: Needs, at: Change, id: string): Promise<boolean> {
  const settledTo = await store.findSettledTo(at.own, id);
  if (settledTo === null) return true;
  const members = await store.listMemberIdsAfter(at.own, id, settledTo, PART.most);
  const rest = await doPart(needs.clock, PART, members, (member) => settleRole(needs, at, member));
  const isLast = rest.length === 0 && members.length < PART.most;
  const last = isLast ? null : (members.at(-1 - rest.length) ?? null);
  await store.updateSettledTo(at.own, id, last);
  return last === null;
}

async function settleRest(needs: Needs, by: By, id: string): Promise<void> {
  let isLast = false;
  while (!isLast) isLast = await changeByHand(needs, by, (at) => settleNext(needs, at, id));
}

/** Makes the function that goes on with every group whose role did not reach all of its members, as after a crash. */
export const createCarryOn = (own: Own) => async (signal: AbortSignal) => {
  for (const { tenant_id, id } of await store.listUnsettled(own.system, PER_ROUND)) {
    if (signal.aborted || !own.isCurrent()) return;
    try {
      await own.inTurn(tenant_id, () => settleRest(own, byPanel(tenant_id), id));
    } catch (error) {
      own.log.error("a group's role could not reach all of its members; it is tried again", { group_id: id, error });
    }
  }
};
