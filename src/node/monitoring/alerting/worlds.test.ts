import { expect, test } from "bun:test";
import { liveWorld } from "../../../../tests/kit/alert-worlds.ts";
import { seeded } from "../../../../tests/kit/seeded.ts";

test("whole nodes that are stopped and cut off tell every episode once and once over on each channel", async () => {
  let [episodes, interruptions] = [0, 0];
  for (const seed of [1, 3, 4]) {
    const outcome = await liveWorld(seeded(seed), 8);
    expect([seed, outcome.faults]).toEqual([seed, []]);
    episodes += outcome.episodes;
    interruptions += outcome.restarts + outcome.kills;
  }
  expect(episodes).toBeGreaterThan(10);
  expect(interruptions).toBeGreaterThan(3);
}, 120_000);
