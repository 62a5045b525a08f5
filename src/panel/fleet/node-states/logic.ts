import { toIso } from "../../../lib/clock.ts";
import type { Actor } from "../../actor.ts";
import { requireNode } from "../fleet/index.ts";
import type { StateHistory, StatesQuery } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { listChanges } from "./store.ts";

/** How the status of a node changed, the newest change first. Throws `node_not_found`. */
export async function readStates(
  { live }: Pick<Needs, "live">,
  actor: Actor,
  nodeId: string,
  { limit, before = Number.MAX_SAFE_INTEGER }: StatesQuery,
): Promise<StateHistory> {
  const { id } = requireNode(live.fleetOf(actor), nodeId);
  // One more than is shown says whether there is another page.
  const rows = await listChanges(actor.db, id, before, limit + 1);
  const shown = rows.slice(0, limit);
  return {
    changes: shown.map(({ at, from_status, to_status, reasons }) => ({
      at: toIso(at),
      from: from_status,
      to: to_status,
      reasons: JSON.parse(reasons),
    })),
    next: rows.length > limit ? (shown.at(-1)?.at ?? null) : null,
  };
}
