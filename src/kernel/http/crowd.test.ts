import { expect, test } from "bun:test";
import fc from "fast-check";
import { createFakeClock } from "../../../tests/kit/fake-clock.ts";
import { createCrowd } from "./crowd.ts";

test("a network that comes with many finds its own room full, and others come in", () => {
  const clock = createFakeClock();
  const gone: string[] = [];
  const crowd = createCrowd<string>(clock, { max: 12, maxOfNetwork: 8, fairMs: 10 }, (member) => gone.push(member));
  const flood = Array.from({ length: 1_000 }, (_, index) => crowd.admit(`bad ${index}`, "bad"));
  expect(flood.filter(Boolean)).toHaveLength(8);
  for (let index = 0; index < 4; index++) expect(crowd.admit(`good ${index}`, `home ${index}`)).toBe(true);
  // All room is taken: who has the most makes room, at once.
  expect(crowd.admit("one more", "home 5")).toBe(true);
  expect(gone).toEqual(["bad 0"]);
  crowd.leave("one more");
  expect(crowd.count()).toBe(11);
});

test("within a network, who had its time makes room for who comes", async () => {
  const clock = createFakeClock();
  const gone: string[] = [];
  const crowd = createCrowd<string>(clock, { max: 100, maxOfNetwork: 2, fairMs: 10 }, (member) => gone.push(member));
  for (const member of ["a", "b"]) crowd.admit(member, "home");
  expect(crowd.admit("c", "home")).toBe(false);
  await clock.advance(11);
  expect([crowd.admit("d", "home"), gone]).toEqual([true, ["a"]]);
});

test("whoever comes and goes, limits hold, and a network below its fair share is let in", () => {
  const step = fc.record({ network: fc.nat(5), leaves: fc.boolean(), member: fc.nat(40), wait: fc.nat(4) });
  const limits = { max: 9, maxOfNetwork: 4, fairMs: 5 };
  fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 120 }), async (steps) => {
      const clock = createFakeClock();
      const here = new Map<string, string>();
      const crowd = createCrowd<string>(clock, limits, (member) => void here.delete(member));
      const sizes = () => Map.groupBy(here, ([, network]) => network);
      for (const [index, { network, leaves, member, wait }] of steps.entries()) {
        await clock.advance(wait);
        const name = `n${network}`;
        if (leaves) {
          const one = [...here.keys()][member % Math.max(1, here.size)] ?? "";
          crowd.leave(one);
          here.delete(one);
          continue;
        }
        const own = sizes().get(name)?.length ?? 0;
        const most = Math.max(0, ...[...sizes().values()].map((members) => members.length));
        const isIn = crowd.admit(`m${index}`, name);
        if (isIn) here.set(`m${index}`, name);
        if (own < limits.maxOfNetwork && own + 1 < most) expect(isIn).toBe(true);
        expect(crowd.count()).toBe(here.size);
        expect(here.size).toBeLessThanOrEqual(limits.max);
        for (const members of sizes().values()) expect(members.length).toBeLessThanOrEqual(limits.maxOfNetwork);
      }
    }),
  );
});
