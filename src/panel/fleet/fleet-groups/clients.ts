import type { Actor } from "../../actor.ts";
import { CLIENTS_MAX, type Client } from "./contract.ts";
import type { Needs } from "./needs.ts";

/** The client workspaces of the caller's one by name, with the nodes that work for each. */
export async function listFleetClients(deps: Pick<Needs, "live" | "tenants">, actor: Actor): Promise<Client[]> {
  const clients = await deps.tenants.listOwnClients(actor.tenant_id, CLIENTS_MAX);
  const counts = new Map<string | null, number>();
  if (clients.length > 0)
    for (const { client_id } of deps.live.fleetOf(actor).nodes())
      counts.set(client_id, (counts.get(client_id) ?? 0) + 1);
  return clients.map((client) => ({ ...client, instance_count: counts.get(client.id) ?? 0 }));
}
