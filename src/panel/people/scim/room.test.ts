import { expect, test } from "bun:test";
import { createRoom } from "./room.ts";

/** Workspaces with so many each, and a room that is asked for one more. */
function makeWorld(most: number) {
  const counts: Record<string, number> = {};
  const room = createRoom(most);
  let counted = 0;
  const take = async (tenant: string): Promise<boolean> => {
    const isRoom = await room.take(tenant, async () => {
      counted += 1;
      return counts[tenant] ?? 0;
    });
    if (isRoom) counts[tenant] = (counts[tenant] ?? 0) + 1;
    return isRoom;
  };
  return { counts, take, counted: () => counted };
}

test("a thousand who come one after another are counted ten times, each workspace for itself", async () => {
  const { counts, take, counted } = makeWorld(10_000);
  for (let no = 0; no < 1_000; no++) await take("one");
  expect([counts["one"], counted()]).toEqual([1_000, 10]);
  await take("other");
  expect(counted()).toBe(11);
});

test("nobody comes in above the bound, nor is sent away below it", async () => {
  const { counts, take } = makeWorld(250);
  for (let no = 0; no < 260; no++) await take("one");
  expect(counts["one"]).toBe(250);
  counts["one"] = 249;
  expect([await take("one"), await take("one")]).toEqual([true, false]);
});
