import type { NodeFacts, TenantFleet } from "../../agents/live/index.ts";
import { fail } from "./contract.ts";

/** A node of the workspace. Throws `node_not_found`. */
export function requireNode(fleet: TenantFleet, id: string): NodeFacts {
  const facts = fleet.get(id);
  if (!facts) throw fail("node_not_found", { id });
  return facts;
}
