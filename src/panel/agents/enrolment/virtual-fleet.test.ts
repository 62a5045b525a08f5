import { expect, test } from "bun:test";
import { runFleet, type Weather } from "../../../../tests/kit/agent-fleet.ts";

const WEATHER: Weather = {
  nodes: 100,
  days: 180,
  stepHours: 12,
  lostRenewals: 0.3,
  lostHeartbeats: 0.1,
  rotateOnDay: 20,
  seed: 1,
};
/** By hand: FLEET_NODES=1000 FLEET_DAYS=90 bun test src/panel/agents/enrolment/virtual-fleet.test.ts */
const nodes = Number(Bun.env["FLEET_NODES"] ?? WEATHER.nodes);
const days = Number(Bun.env["FLEET_DAYS"] ?? WEATHER.days);

test(`${nodes} nodes, ${days} days, wrong clocks, lost answers, a new root: nobody is stranded`, async () => {
  const outcome = await runFleet({ ...WEATHER, nodes, days });
  expect(outcome.stranded).toEqual([]);
  expect(outcome.renewals).toBeGreaterThan(nodes * 0.9);
  expect(outcome.lost).toBeGreaterThan(nodes / 10);
  expect(outcome.phases.slice(0, 3)).toEqual(["steady", "prepared", "activated"]);
}, 300_000);

test("after the change nobody knows the former root any more", async () => {
  const outcome = await runFleet({ ...WEATHER, nodes: 20, seed: 2 });
  expect(outcome.phases).toEqual(["steady", "prepared", "activated", "steady"]);
  expect(outcome.onFormerRoot).toBe(0);
});
