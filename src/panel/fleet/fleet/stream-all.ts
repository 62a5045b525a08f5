import type { TenantFleet } from "../../agents/live/index.ts";
import type { FleetIndexes } from "./node-index.ts";
import { presentInstance } from "./present.ts";

/** Rows that are made at one go; the rest waits until the client has taken them. */
const SLICE = 500;

/** The whole fleet as a JSON list, by id, written slice by slice so that a large one holds nobody up. */
export async function streamInstances({ indexOf, prepareIndex }: FleetIndexes, fleet: TenantFleet): Promise<Response> {
  await prepareIndex(fleet, ["id"]);
  const index = indexOf(fleet);
  const ranks = index.rank("id");
  const order = Uint32Array.from({ length: index.size }, (_, position) => position);
  order.sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0));
  const nodes = [...order].flatMap((position) => index.facts[position] ?? []);
  const encoder = new TextEncoder();
  let next = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const slice = nodes
        .slice(next, next + SLICE)
        .map((facts) => presentInstance(fleet, fleet.get(facts.id) ?? facts));
      const rows = slice.map((row) => JSON.stringify(row)).join(",");
      const opening = next === 0 ? "[" : ",";
      next += SLICE;
      const isLast = next >= nodes.length;
      controller.enqueue(encoder.encode(`${opening}${rows}${isLast ? "]" : ""}`));
      if (isLast) controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "application/json; charset=utf-8" } });
}
