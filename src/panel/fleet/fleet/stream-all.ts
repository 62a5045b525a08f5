import type { TenantFleet } from "../../agents/live/index.ts";
import type { FleetIndexes } from "./node-index.ts";
import { presentInstance } from "./present.ts";

/** Rows that are made at one go; the rest waits until the client has taken them. */
const SLICE = 500;

/**
 * The whole fleet as a JSON list, by id, written slice by slice. `othersFirst` is waited for before each: a client that takes them as
 * fast as they come would have all of them in one turn of the event loop.
 */
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
  const encoder = new TextEncoder();
  let next = 0;
  let isLeft = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await othersFirst();
      if (isLeft) return;
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
    cancel() {
      isLeft = true;
    },
  });
  return new Response(body, { headers: { "content-type": "application/json; charset=utf-8" } });
}
