import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { minutes } from "../../../lib/duration.ts";
import { createBelief } from "./belief.ts";

/** How many of so many answers of each address are judged, none of which is believed. */
function createWorld() {
  const clock = createFakeClock();
  const belief = createBelief(clock);
  const judged = (ips: string[], each: number, connector = "corp"): number => {
    let count = 0;
    for (const ip of ips)
      for (let time = 0; time < each; time++) {
        try {
          belief.take(connector, ip);
          count += 1;
        } catch (error) {
          expect(error).toMatchObject({ code: "too_many_requests" });
        }
      }
    return count;
  };
  return { clock, belief, judged };
}
const networks = (count: number, of: (no: number) => string): string[] =>
  Array.from({ length: count }, (_, no) => of(no));
const hex = (no: number): string => no.toString(16);

test("a network has a hundred that are not believed in ten minutes, and all of a site two hundred", async () => {
  const { clock, judged } = createWorld();
  expect(judged(["2001:db8:1:1::1", "2001:db8:1:1::2"], 150)).toBe(100);
  expect(
    judged(
      networks(250, (no) => `2001:db8:1:${hex(no + 2)}::1`),
      100,
    ),
  ).toBe(100);
  expect(
    judged(
      networks(250, (no) => `192.0.2.${no}`),
      100,
    ),
  ).toBe(200);
  await clock.advance(minutes(10));
  expect(judged(["2001:db8:1:1::1"], 150)).toBe(100);
});

test("a provider and a connector have more, beyond which others still have some", () => {
  const { judged } = createWorld();
  const sites = networks(100, (no) => `2001:db8:${hex(no)}::1`);
  expect(judged(sites, 100)).toBe(500);
  expect(judged(sites, 100, "other")).toBe(500);
  // That was all that the provider has. Ten of each of its other sites are left, and of each other provider at the connectors.
  expect(judged(sites.slice(10, 30), 100, "third")).toBe(20 * 10);
  expect(judged(["192.0.2.1"], 20)).toBe(10);
  expect(judged(["198.51.100.1"], 20)).toBe(10);
});

test("from where somebody came in, others come in whatever their surroundings sent, and what is believed does not count", () => {
  const { belief, judged } = createWorld();
  for (let time = 0; time < 300; time++) {
    belief.take("corp", "192.0.2.1").giveBack();
    belief.believe("corp", "192.0.2.1");
  }
  expect([
    belief.isKnown("corp", "192.0.2.1"),
    belief.isKnown("corp", "192.0.2.2"),
    belief.isKnown("other", "192.0.2.1"),
  ]).toEqual([true, false, false]);
  judged(
    networks(100, (no) => `192.0.${no + 10}.1`),
    100,
  );
  expect(judged(["192.0.2.2"], 20)).toBe(0);
  expect(judged(["192.0.2.1"], 120)).toBe(100);
});
