import { inventoryOf } from "../../../shared/agent-protocol/index.ts";
import { signIdentity } from "../../../shared/panel-identity/index.ts";
import type { Actor } from "../../actor.ts";
import { byMember } from "../../event-meaning.ts";
import { fail } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { assertEndsVisit, identityOf } from "./visits.ts";

const LOOPBACK = /^(localhost|127\.|\[::1\])/;

/** Where a browser reaches the node: the address it calls its own before those that only its own machine knows. */
function addressOf(urls: readonly string[]): string | null {
  const url = urls.find((each) => !LOOPBACK.test(new URL(each).host)) ?? urls[0];
  return url === undefined ? null : new URL(url).origin;
}

/**
 * An address that opens a node as the caller, once, within a minute. Throws `unknown_client`, `node_address_unknown`,
 * `visit_unsupported`, `sign_in_role`.
 */
export async function impersonate(
  needs: Needs,
  actor: Actor,
  ip: string,
  id: string,
): Promise<{ session_url: string }> {
  const { tenants, clock, nodes, live } = needs;
  const node = live.fleetOf(actor).get(id);
  const secret = node && (await nodes.secretOf(actor.tenant_id, id));
  if (!node || secret === null) throw fail("unknown_client", { id });
  const origin = addressOf(inventoryOf.sign_in_urls(node.inventory) ?? []);
  if (origin === null) throw fail("node_address_unknown", { id });
  const member = await tenants.findMembership(actor.tenant_id, actor.member_id);
  if (member?.member_status !== "active") throw fail("sign_in_role");
  await assertEndsVisit(needs, node, member);
  const identity = await identityOf(needs, member);
  const token = await signIdentity(secret, id, identity, clock.now());
  const told = { by: byMember(actor, ip), node_id: id, identity: identity.id, address: origin };
  await actor.db.tx((tx) => needs.bus.emit(tx, "fleet.impersonate", told));
  return { session_url: `${origin}/api/cp/session?token=${token}` };
}
