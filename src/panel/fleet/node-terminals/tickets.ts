import { AppError } from "../../../kernel/http/errors.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { HOST_TERMINAL_SERVICE, TERMINAL_SERVICE } from "../../../shared/agent-protocol/index.ts";
import { holds, isRoleName } from "../../access.ts";
import type { Actor } from "../../actor.ts";
import { byMember } from "../../event-meaning.ts";
import { hasEntry, throughWorkspace } from "../../people/sessions/index.ts";
import { requireNode } from "../fleet/index.ts";
import { nodeLogFail } from "../node-logs/index.ts";
import { fail, type Ticket, type TicketInput } from "./contract.ts";
import type { Grant, Own } from "./needs.ts";
import { findRole, isOfStaff } from "./store.ts";

export const TICKET_S = 30;

/**
 * Gives a ticket that opens one terminal. Throws `node_not_found`, `impersonation`, `shell_permission`, `agent_offline`,
 * `agent_outdated`, `shell_disabled`; all but the first are put on record.
 */
export async function issueTicket(
  own: Own,
  actor: Actor,
  ip: string,
  nodeId: string,
  input: TicketInput | null,
): Promise<Ticket> {
  requireNode(own.live.fleetOf(actor), nodeId);
  const app = input?.app ?? "";
  const about = { by: byMember(actor, ip), node_id: nodeId, app };
  try {
    await assertMay(own, actor, nodeId, app);
  } catch (error) {
    if (error instanceof AppError) {
      const { code } = error;
      await actor.db.forRecord().tx((tx) => own.bus.emit(tx, "fleet.terminal.refused", { ...about, code }));
    }
    throw error;
  }
  const ticket = own.ids.token(32);
  await actor.db.tx((tx) => own.bus.emit(tx, "fleet.terminal.ticket", about));
  const grant: Grant = { actor, ip, node_id: nodeId, app, service: input?.service ?? null };
  own.tickets.set(sha256Hex(ticket), grant, [actor.tenant_id, actor.account_id]);
  const ws_path = `/api/fleet/instances/${encodeURIComponent(nodeId)}/terminal/ws`;
  return { ticket, expires_in: TICKET_S, ws_path };
}

/** The service of a node that has shells in an app, or of the server itself where none is named. */
export const serviceOf = (app: string): string => (app === "" ? HOST_TERMINAL_SERVICE : TERMINAL_SERVICE);

async function assertMay(own: Own, actor: Actor, nodeId: string, app: string): Promise<void> {
  if (!actor.is_wsl && (await isOfStaff(actor.db, actor.member_id))) throw fail("impersonation");
  if (!holds(actor.role, "fleet:shell")) throw fail("shell_permission");
  const reason = await own.recordings.whyNot(actor);
  if (reason !== null) throw fail("shell_disabled", { reason });
  const state = own.agentPort.streamState(nodeId, actor.tenant_id, serviceOf(app));
  if (state === "offline") throw nodeLogFail("agent_offline");
  if (state === "unsupported") throw nodeLogFail("agent_outdated", { what: "open this terminal", instead: "open one" });
}

/** Takes a ticket in: whoever tries it has used it up. Throws `terminal_ticket_used`, and what has changed since it was given. */
export async function redeemTicket(own: Own, ticket: string, nodeId: string): Promise<Grant> {
  const grant = own.tickets.take(sha256Hex(ticket));
  if (grant?.node_id !== nodeId || !(await mayStay(own, grant)))
    throw fail("terminal_ticket_used", { seconds: TICKET_S });
  await assertMay(own, grant.actor, nodeId, grant.app);
  return grant;
}

/** Whether whoever opened a terminal may still be there: in their role, and in the way in which the workspace wants its members in. */
export async function mayStay({ tenants }: Pick<Own, "tenants">, { actor }: Grant): Promise<boolean> {
  const role = await findRole(actor.db, actor.session_id, actor.member_id);
  if (role === null || !isRoleName(role) || !holds(role, "fleet:shell")) return false;
  const member = await tenants.findMembership(actor.tenant_id, actor.member_id);
  return member !== null && hasEntry(actor.is_wsl ? throughWorkspace(member) : member);
}
