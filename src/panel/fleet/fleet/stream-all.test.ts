import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { createTestFleet } from "../../../../tests/kit/test-fleet.ts";
import { createFleetIndexes } from "./node-index.ts";
import { streamInstances } from "./stream-all.ts";

const NODES = 1_200;

function largeFleet() {
  const { fleet, put } = createTestFleet(createFakeClock());
  for (let no = 0; no < NODES; no++) put(no, { hostname: `host-${no}` });
  return fleet;
}

test("others go before each part of the whole fleet, which is all there and sorted by id", async () => {
  const fleet = largeFleet();
  let turns = 0;
  const answer = await streamInstances(createFleetIndexes(), fleet, async () => void turns++);
  const rows = (await answer.json()) as { id: string }[];
  const ids = fleet.nodes().map(({ id }) => id);
  expect(rows.map(({ id }) => id)).toEqual(ids.toSorted());
  expect(turns).toBe(3);
});

test("a part is made only once its turn has come, and none for whoever left meanwhile", async () => {
  const turn = Promise.withResolvers<void>();
  const answer = await streamInstances(createFleetIndexes(), largeFleet(), () => turn.promise);
  const reader = answer.body?.getReader();
  const first = reader?.read();
  expect(await Promise.race([first, Promise.resolve("nothing yet")])).toBe("nothing yet");
  await reader?.cancel();
  turn.resolve();
  expect(await first).toEqual({ done: true, value: undefined });
});
