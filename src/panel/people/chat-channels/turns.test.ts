import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import { createTurns } from "./turns.ts";

/** Rooms that are told until the test lets them end. */
function createWorld() {
  const clock = createFakeClock();
  const inTurn = createTurns(clock);
  let open: (() => void)[] = [];
  const begun: string[] = [];
  const send = (tenant: string, rooms: number): void => {
    for (let room = 0; room < rooms; room++)
      void inTurn(tenant, `${tenant} ${room}`, () => {
        begun.push(tenant);
        return new Promise((resolve) => open.push(resolve));
      });
  };
  /** How many of each began since. */
  const counts = async (): Promise<Record<string, number>> => {
    await setImmediate();
    const found = Object.fromEntries([...new Set(begun)].map((one) => [one, begun.filter((by) => by === one).length]));
    begun.length = 0;
    return found;
  };
  const endAll = async (): Promise<void> => {
    while (open.length > 0) {
      for (const end of open.splice(0)) end();
      await setImmediate();
    }
    open = [];
    begun.length = 0;
  };
  return { clock, send, counts, endAll };
}

test("of a workspace four rooms are told at a time, however many it has, and others beside them", async () => {
  const { send, counts } = createWorld();
  send("one", 10);
  send("two", 3);
  expect(await counts()).toEqual({ one: 4, two: 3 });
});

test("workspaces whose rooms say nothing have few turns for a while, and leave the others theirs", async () => {
  const { clock, send, counts, endAll } = createWorld();
  const crowd = Array.from({ length: 20 }, (_, no) => `crowd ${no}`);
  for (const one of crowd) send(one, 4);
  expect(Object.values(await counts())).toEqual(crowd.map(() => 4));
  await clock.advance(seconds(3));
  await endAll();
  for (const one of crowd) send(one, 4);
  send("honest", 4);
  const told = await counts();
  expect([told["honest"], Object.values(told).reduce((sum, count) => sum + count)]).toEqual([4, 20]);
  await endAll();
  await clock.advance(minutes(10));
  send("crowd 1", 4);
  expect(await counts()).toEqual({ "crowd 1": 4 });
});
