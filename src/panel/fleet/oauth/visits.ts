import { inventoryOf } from "../../../shared/agent-protocol/index.ts";
import { type PanelIdentity, VISITS_PATH, verifyAssertion } from "../../../shared/panel-identity/index.ts";
import type { NodeFacts } from "../../agents/live/index.ts";
import type { MembershipRow } from "../../people/tenants/index.ts";
import { fail, type Visits, type VisitsInput } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { findVisit, listVisitors } from "./store.ts";

/** What the panel tells a node of a member; of staff whom the workspace lets in also until when. Throws `sign_in_role`. */
export async function identityOf(
  { system, clock, ids }: Pick<Needs, "system" | "clock" | "ids">,
  member: MembershipRow,
): Promise<PanelIdentity> {
  const { account_id, email, display_name: name, role, tenant_id, member_id } = member;
  const { is_visitor, until } = await findVisit(system, tenant_id, member_id);
  const identity = { account_id, email, name, role, tenant_id, id: ids.next("idt") };
  if (!is_visitor) return identity;
  // Their permit ended while they asked.
  if (until === null || until <= clock.now()) throw fail("sign_in_role");
  return { ...identity, until };
}

/** Throws `visit_unsupported` where staff whom a permit let in would stay when it is over. */
export async function assertEndsVisit(
  { system, config }: Pick<Needs, "system" | "config">,
  { id, inventory }: NodeFacts,
  { tenant_id, member_id }: { tenant_id: string; member_id: string },
): Promise<void> {
  // It asks at the panel's own address who is let in.
  if (inventoryOf.ends_visits(inventory) === true && config.public_url !== "") return;
  if ((await findVisit(system, tenant_id, member_id)).is_visitor) throw fail("visit_unsupported", { id });
}

/** Tells a node whom of the staff its workspace lets in now. Throws `invalid_client`. */
export async function tellVisits({ system, clock, nodes }: Needs, input: VisitsInput): Promise<Visits> {
  const { tenant_id, client_id: nodeId, client_assertion } = input;
  const now = clock.now();
  const secret = await nodes.secretOf(tenant_id, nodeId);
  const proof = { nodeId, audience: VISITS_PATH, now };
  if (secret === null || !(await verifyAssertion(secret, client_assertion, proof))) throw fail("invalid_client");
  return { open: await listVisitors(system, tenant_id, now) };
}
