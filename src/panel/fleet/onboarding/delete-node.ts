import type { Actor } from "../../actor.ts";
import { byMember } from "../../event-meaning.ts";
import { fleetFail } from "../fleet/index.ts";
import type { Needs } from "./needs.ts";

type Deps = Pick<Needs, "nodes" | "bus">;

/** Deletes a node from its workspace and cuts it off at once. Throws `node_not_found`. */
export function removeNode(
  deps: Deps,
  actor: Actor,
  ip: string,
  id: string,
): Promise<{ id: string; status: "deleted" }> {
  return actor.db.tx(async (tx) => {
    const hostname = await deps.nodes.deleteNode(tx, id);
    if (hostname === null) throw fleetFail("node_not_found", { id });
    await deps.bus.emit(tx, "fleet.instance.delete", { by: byMember(actor, ip), node_id: id, hostname });
    return { id, status: "deleted" };
  });
}
