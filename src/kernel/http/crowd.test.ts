import { expect, test } from "bun:test";
import fc from "fast-check";
import { createFakeClock } from "../../../tests/kit/fake-clock.ts";
import { createCrowd } from "./crowd.ts";

test("a network that comes with many finds its own room full, and others come in", () => {
  const clock = createFakeClock();
  const gone: string[] = [];
  const crowd = createCrowd<string>(clock, { max: 12, maxOfEach: 8, fairMs: 10 }, (member) => gone.push(member));
  const flood = Array.from({ length: 1_000 }, (_, index) => crowd.admit(`bad ${index}`, ["bad"]));
  expect(flood.filter(Boolean)).toHaveLength(8);
  for (let index = 0; index < 4; index++) expect(crowd.admit(`good ${index}`, [`home ${index}`])).toBe(true);
  // All room is taken: who has the most makes room, at once.
  expect(crowd.admit("one more", ["home 5"])).toBe(true);
  expect(gone).toEqual(["bad 0"]);
  crowd.leave("one more");
  expect(crowd.count()).toBe(11);
});

test("within a network, who had its time makes room for who comes", async () => {
  const clock = createFakeClock();
  const gone: string[] = [];
  const crowd = createCrowd<string>(clock, { max: 100, maxOfEach: 2, fairMs: 10 }, (member) => gone.push(member));
  for (const member of ["a", "b"]) crowd.admit(member, ["home"]);
  expect(crowd.admit("c", ["home"])).toBe(false);
  await clock.advance(11);
  expect([crowd.admit("d", ["home"]), gone]).toEqual([true, ["a"]]);
});

test("a thousand networks of one provider make room at once for whoever is of another, and share what they have", async () => {
  const clock = createFakeClock();
  const gone: string[] = [];
  const crowd = createCrowd<string>(clock, { max: 20, maxOfEach: 8, fairMs: 10 }, (member) => gone.push(member));
  const flood = (count: number) =>
    Array.from({ length: count }, (_, no) => crowd.admit(`bad ${no}`, ["bad", "site", `${no}`])).filter(Boolean).length;
  expect(flood(1_000)).toBe(20);
  expect(crowd.admit("good", ["good", "home", "own"])).toBe(true);
  expect(gone).toEqual(["bad 0"]);
  // Beside them, another site of theirs is no worse off.
  expect(crowd.admit("next door", ["bad", "other site", "own"])).toBe(true);
  expect(gone).toEqual(["bad 0", "bad 1"]);
  expect(crowd.admit("too soon", ["bad", "site", "one more"])).toBe(false);
  await clock.advance(11);
  expect(crowd.admit("late", ["bad", "site", "one more"])).toBe(true);
  expect(gone).toEqual(["bad 0", "bad 1", "bad 2"]);
});

test("who gets on is the last to make room", async () => {
  const clock = createFakeClock();
  const gone: string[] = [];
  const crowd = createCrowd<string>(clock, { max: 3, maxOfEach: 3, fairMs: 10 }, (member) => gone.push(member));
  for (const no of [1, 2, 3]) crowd.admit(`a${no}`, ["a"]);
  await clock.advance(11);
  crowd.touch("a1");
  crowd.touch("nobody");
  expect([crowd.admit("b", ["b"]), gone]).toEqual([true, ["a2"]]);
  expect([crowd.admit("c", ["c"]), gone]).toEqual([true, ["a2", "a3"]]);
  expect([crowd.admit("d", ["d"]), crowd.count()]).toEqual([false, 3]);
  await clock.advance(11);
  expect([crowd.admit("d", ["d"]), gone.at(-1)]).toEqual([true, "a1"]);
});

test("where nobody has more, the oldest of all who have as much goes, though others of them come anew all the time", async () => {
  const clock = createFakeClock();
  const gone: string[] = [];
  const crowd = createCrowd<string>(clock, { max: 8, maxOfEach: 4, fairMs: 10 }, (member) => gone.push(member));
  for (const name of ["a", "b", "c"]) for (const no of [1, 2]) crowd.admit(`${name}${no}`, [name]);
  for (const no of [1, 2]) crowd.admit(`d${no}`, ["d", `${no}`]);
  await clock.advance(11);
  for (const no of [1, 2]) crowd.leave(`a${no}`);
  for (const no of [3, 4]) crowd.admit(`a${no}`, ["a"]);
  expect([crowd.admit("new", ["d", "3"]), gone]).toEqual([true, ["b1"]]);
});

test("two providers that are full of one site each leave room to a small site of either", () => {
  const gone: string[] = [];
  const limits = { max: 20, maxOfEach: 8, fairMs: 1_000 };
  const crowd = createCrowd<string>(createFakeClock(), limits, (member) => gone.push(member));
  for (let no = 0; no < 20; no++) crowd.admit(`${no}`, [no % 2 === 0 ? "even" : "odd", "site", `${no}`]);
  for (const provider of ["even", "odd", "even", "odd"])
    expect(crowd.admit(`home ${gone.length}`, [provider, `home ${gone.length}`, "own"])).toBe(true);
  expect(gone).toEqual(["0", "1", "2", "3"]);
});

test("whoever comes and goes, limits hold, and a network below its fair share is let in", () => {
  const step = fc.record({ network: fc.nat(5), leaves: fc.boolean(), member: fc.nat(40), wait: fc.nat(4) });
  const limits = { max: 9, maxOfEach: 4, fairMs: 5 };
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
        const isIn = crowd.admit(`m${index}`, [name]);
        if (isIn) here.set(`m${index}`, name);
        if (own < limits.maxOfEach && own + 1 < most) expect(isIn).toBe(true);
        expect(crowd.count()).toBe(here.size);
        expect(here.size).toBeLessThanOrEqual(limits.max);
        for (const members of sizes().values()) expect(members.length).toBeLessThanOrEqual(limits.maxOfEach);
      }
    }),
  );
});
