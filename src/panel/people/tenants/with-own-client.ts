import type { Actor } from "../../actor.ts";
import { narrow, type TenantTx } from "../../data/tenant-db.ts";
import type { Needs } from "./needs.ts";
import { findClient, lockMembers } from "./store.ts";

/** Does something about a client of the caller's workspace while nobody deletes or renames it; null where it is none. */
export async function withOwnClient<T>(
  { system }: Pick<Needs, "system">,
  actor: Actor,
  id: string,
  work: (tx: TenantTx, client: { id: string; name: string }) => Promise<T>,
): Promise<T | null> {
  const own = system.by(actor);
  // Whoever it is no client of keeps nobody from changing it.
  if (!(await findClient(own, actor.tenant_id, id))) return null;
  return own.tx(async (tx) => {
    await lockMembers(tx, id);
    const client = await findClient(tx, actor.tenant_id, id);
    return client && work(narrow(tx, actor.tenant_id), client);
  });
}
