import { setImmediate } from "node:timers/promises";
import type { Needs } from "./needs.ts";

/** Nodes that are told of at one go. */
const SLICE = 1_000;

/** Has the nodes that a service provider has for a client know its new name, a few at a time. */
export async function renameClient(
  { live }: Pick<Needs, "live">,
  { id, parentId, name }: { id: string; parentId: string | null; name: string },
): Promise<void> {
  if (parentId === null) return;
  const fleet = live.of(parentId);
  const served = [...fleet.nodes()].filter(({ client_id }) => client_id === id);
  for (const [index, { id: nodeId }] of served.entries()) {
    if (index % SLICE === SLICE - 1) await setImmediate();
    const facts = fleet.get(nodeId);
    if (facts?.client_id === id) live.put({ ...facts, client_name: name });
  }
}
