import { answerInParts, listParts } from "../../../kernel/http/answer-in-parts.ts";
import type { TenantFleet } from "../../agents/live/index.ts";
import type { FleetIndexes } from "./node-index.ts";
import { presentInstance } from "./present.ts";

/** The whole fleet as a JSON list, by id, written part by part; `othersFirst` is waited for before each. */
export async function streamInstances(
  { indexOf, prepareIndex }: FleetIndexes,
  fleet: TenantFleet,
  othersFirst: () => Promise<void>,
): Promise<Response> {
  await prepareIndex(fleet, ["id"]);
  const index = indexOf(fleet);
  const nodes = Array.from(index.order("id"), (position) => index.facts[position]).filter(
    (facts) => facts !== undefined,
  );
  const parts = listParts(nodes, (facts) => presentInstance(fleet, fleet.get(facts.id) ?? facts));
  return answerInParts(parts, othersFirst);
}
