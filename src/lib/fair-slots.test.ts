import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { runs } from "../../tests/kit/runs.ts";
import { createFairSlots, type SlotPath } from "./fair-slots.ts";

const SIZE = 6;
const SPARE = 3;

interface Job {
  name: string;
  whose: SlotPath;
  ends: number;
  end(): void;
}

/** Slots whose tasks last for some time, which a test lets go by. */
function office({ weight = 1 } = {}) {
  let now = 1_000;
  const running: Job[] = [];
  const begun: string[] = [];
  const came: string[] = [];
  const inSlot = createFairSlots(
    { monotonic: () => now },
    { size: SIZE, spare: SPARE, weightOf: (group) => (group === "own" ? weight : 1) },
  );
  async function come(whose: SlotPath, ms: number): Promise<string> {
    const name = `${whose.join("/")} ${came.length}`;
    came.push(name);
    const task = () => {
      begun.push(name);
      return new Promise<string>((resolve) => running.push({ name, whose, ends: now + ms, end: () => resolve(name) }));
    };
    const told = inSlot(whose, task);
    await setImmediate();
    return name + ((await Promise.race([told, null])) ?? "");
  }
  async function pass(ms: number): Promise<void> {
    const until = now + ms;
    for (;;) {
      running.sort((a, b) => a.ends - b.ends);
      const next = running[0];
      if (!next || next.ends > until) break;
      now = Math.max(now, next.ends);
      running.shift();
      next.end();
      await setImmediate();
    }
    now = until;
  }
  return {
    inSlot,
    come,
    pass,
    begun,
    came,
    running: () => running.map(({ name }) => name),
    of: (group: string) => running.filter(({ whose }) => whose[0] === group).length,
  };
}

/** Several that ask for what is long, as often as they like. */
async function crowd({ come, pass }: ReturnType<typeof office>, groups: readonly string[]): Promise<void> {
  for (let time = 0; time < 20; time++) for (const group of groups) await come([group, "ada"], 300);
  await pass(400);
}

const whose = fc.tuple(fc.constantFrom("one", "two", "three", "own"), fc.constantFrom("ada", "bo"));
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ whose, ms: fc.nat(300) }) },
  { weight: 1, arbitrary: fc.record({ pass: fc.nat(400) }) },
);

test("whoever comes: no more run than there are slots, none is idle while somebody waits, and all have their turn in order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const all = office({ weight: 2 });
      for (const one of steps) {
        if ("pass" in one) await all.pass(one.pass);
        else await all.come(one.whose, one.ms);
        const count = all.running().length;
        expect(count).toBeLessThanOrEqual(SIZE);
        if (all.begun.length < all.came.length) expect(count).toBeGreaterThanOrEqual(SIZE - SPARE);
      }
      await all.pass(60_000);
      expect(all.begun.toSorted()).toEqual(all.came.toSorted());
      const orderOf = (names: string[], start: string) => names.filter((name) => name.startsWith(start));
      for (const who of ["one/ada", "one/bo", "two/ada", "own/bo"])
        expect(orderOf(all.begun, who)).toEqual(orderOf(all.came, who));
    }),
    { numRuns: runs(40) },
  );
});

test("whoever comes to a crowd begins at once, and those of the crowd share what is left", async () => {
  const all = office();
  await crowd(all, ["one", "two", "three"]);
  expect([all.of("one"), all.of("two"), all.of("three")]).toEqual([1, 1, 1]);
  for (const who of ["bo", "cy", "di"]) await all.come(["four", who], 10);
  expect(all.of("four")).toBe(3);
  await all.pass(10);
  // Again and again, as long as that is little.
  await all.come(["four", "bo"], 10);
  expect(all.of("four")).toBe(1);
});

test("who had much lately waits with the crowd, but goes before those who had more; later it is forgotten", async () => {
  const all = office();
  await crowd(all, ["one", "two", "three"]);
  await all.come(["four", "bo"], 150);
  await all.pass(150);
  await all.come(["four", "bo"], 10);
  expect(all.of("four")).toBe(0);
  await all.pass(149);
  expect(all.begun.filter((name) => name.startsWith("four"))).toHaveLength(2);
  await all.pass(2_500);
  await all.come(["four", "bo"], 10);
  expect(all.of("four")).toBe(1);
});

test("nobody alone takes the last slots, not even at once", async () => {
  const all = office();
  for (let no = 0; no < SIZE * 2; no++) await all.come(["one", `${no}`], 1_000);
  expect(all.of("one")).toBe(4);
  await all.come(["two", "bo"], 10);
  expect(all.of("two")).toBe(1);
});

test("in a group the members share as groups do", async () => {
  const all = office();
  for (let time = 0; time < 20; time++) await all.come(["one", "ada"], 50);
  await all.come(["one", "bo"], 50);
  const before = all.begun.length;
  await all.pass(50);
  expect(all.begun[before]).toStartWith("one/bo");
});

test("who counts for several has so many times the share", async () => {
  const all = office({ weight: 2 });
  await crowd(all, ["one", "own"]);
  const before = all.begun.length;
  await all.pass(1_800);
  const later = all.begun.slice(before);
  const own = later.filter((name) => name.startsWith("own")).length;
  expect(own / (later.length - own)).toBeGreaterThan(1.5);
});

test("a task that fails gives its slot back, and its error to whom it belongs", async () => {
  const { inSlot } = office();
  for (let no = 0; no < SIZE * 3; no++)
    expect(await inSlot(["one", "ada"], () => Promise.reject(new Error(`${no}`))).catch(String)).toBe(`Error: ${no}`);
  expect(await inSlot(["one", "ada"], async () => "done")).toBe("done");
});

test("with a clock that goes on between two looks at it, nothing is left of what was had long ago", async () => {
  let now = 0;
  const inSlot = createFairSlots({ monotonic: () => ++now }, { size: SIZE, spare: SPARE, weightOf: () => 1 });
  await Promise.all(Array.from({ length: 2_000 }, () => inSlot(["old", "ada"], async () => {})));
  now += 600_000;
  const crowd = Promise.withResolvers<void>();
  const all = Array.from({ length: SIZE }, () => inSlot(["crowd", "bo"], () => crowd.promise));
  let hasBegun = false;
  const told = inSlot(["old", "ada"], async () => {
    hasBegun = true;
  });
  await setImmediate();
  expect(hasBegun).toBe(true);
  crowd.resolve();
  await Promise.all([told, ...all]);
});

const partOf = fc.constantFrom("a", "b", "c");
const paths = fc.uniqueArray(fc.tuple(partOf, partOf, partOf), { minLength: 2, maxLength: 15, selector: String });

test("those who always want more have equal shares of what is above them, however many they are", async () => {
  await fc.assert(
    fc.asyncProperty(paths, fc.integer({ min: 5, max: 60 }), async (members, rounds) => {
      let now = 0;
      const had: string[] = [];
      const running: (() => void)[] = [];
      const inSlot = createFairSlots({ monotonic: () => now }, { size: 1, spare: 0, weightOf: () => 1 });
      for (let round = 0; round < rounds; round++)
        for (const path of members)
          void inSlot(path, () => {
            had.push(path.join());
            return new Promise<void>((resolve) => running.push(resolve));
          });
      for (let task = 0; task < rounds; task++) {
        await setImmediate();
        now += 50;
        running.shift()?.();
      }
      for (const above of ["", "a,", "b,", "c,", "a,a,", "a,b,", "b,c,"]) {
        const parts = new Set(
          members
            .map(String)
            .filter((one) => one.startsWith(above))
            .map((one) => one.slice(0, above.length + 1)),
        );
        const counts = [...parts].map((start) => had.filter((one) => one.startsWith(start)).length);
        expect(Math.max(0, ...counts) - Math.min(...counts, rounds)).toBeLessThanOrEqual(2);
      }
    }),
    { numRuns: runs(30) },
  );
});

test("who took nothing lately has a turn in the order in which the tasks came, whoever was known first", async () => {
  let now = 0;
  const begun: string[] = [];
  const inSlot = createFairSlots({ monotonic: () => now }, { size: 1, spare: 0, weightOf: () => 1 });
  const come = (name: string, ms: number) =>
    inSlot(["all", name], async () => {
      begun.push(name);
      await setImmediate();
      now += ms;
    });
  for (const name of ["old", "older"]) await come(name, 10);
  now += 60_000;
  // What "long" does lets it be forgotten what the first task of "new" took, whose second came after those of the others.
  const tasks = [
    come("before", 10),
    come("new", 10),
    come("long", 60_000),
    come("older", 10),
    come("old", 10),
    come("new", 10),
  ];
  await Promise.all(tasks);
  expect(begun.slice(2)).toEqual(["before", "new", "long", "older", "old", "new"]);
});

test("what waits is dropped when its signal aborts, and whoever comes after it goes on", async () => {
  const all = office();
  for (let no = 0; no < SIZE; no++) await all.come(["one", "ada"], 100);
  const stop = new AbortController();
  let hasRun = false;
  const run = async () => {
    hasRun = true;
  };
  const dropped = all.inSlot(["one", "ada"], run, stop.signal).catch(String);
  await all.come(["one", "ada"], 10);
  stop.abort("gone");
  expect(await dropped).toBe("gone");
  expect(await all.inSlot(["one", "ada"], run, stop.signal).catch(String)).toBe("gone");
  await all.pass(1_000);
  expect([hasRun, all.begun.length]).toEqual([false, SIZE + 1]);
});

const SITE_MOST = 2;
/** Slots where a part of "door" may have two at once. */
const atDoor = () =>
  createFairSlots(
    { monotonic: () => 1_000 },
    {
      size: SIZE,
      spare: 0,
      weightOf: () => 1,
      mostOfPart: (group, depth) => (group === "door" && depth === 1 ? SITE_MOST : SIZE),
    },
  );
const site = fc.constantFrom("north", "south");
const network = fc.constantFrom("a", "b");

test("a part has no more than it may, also by its own parts, and what it keeps waiting holds nobody else", async () => {
  const comers = fc.oneof(fc.tuple(fc.constant("door"), site, network), fc.tuple(fc.constant("shop"), site));
  await fc.assert(
    fc.asyncProperty(
      fc.array(comers, { maxLength: 30 }),
      fc.array(fc.nat(50), { maxLength: 30 }),
      async (all, ends) => {
        const inSlot = atDoor();
        const running: { path: SlotPath; end(): void }[] = [];
        const waiting = new Map<string, number>();
        const placeOf = ([group, part]: SlotPath) => `${group} ${part}`;
        const count = (path: SlotPath, more: number) =>
          void waiting.set(placeOf(path), (waiting.get(placeOf(path)) ?? 0) + more);
        const at = (place: string) => running.filter(({ path }) => placeOf(path) === place).length;
        async function look(): Promise<void> {
          await setImmediate();
          for (const place of ["door north", "door south"]) expect(at(place)).toBeLessThanOrEqual(SITE_MOST);
          if (running.length === SIZE) return;
          for (const [place, left] of waiting)
            expect([place, left]).toEqual([place, at(place) === SITE_MOST && place.startsWith("door") ? left : 0]);
        }
        const done = all.map((path: SlotPath) => {
          count(path, 1);
          return inSlot(path, () => {
            count(path, -1);
            return new Promise<void>((resolve) => running.push({ path, end: resolve }));
          });
        });
        await look();
        for (const no of [...ends, ...all.map(() => 0)]) {
          for (const one of running.splice(no % (running.length || 1), 1)) one.end();
          await look();
        }
        await Promise.all(done);
      },
    ),
    { numRuns: runs(60) },
  );
});

test("who comes when a part has as many as it may begins at once, and what that part has waiting later", async () => {
  const inSlot = atDoor();
  const [held, begun] = [Promise.withResolvers<void>(), [] as string[]];
  const come = (...path: [string, string, string]) =>
    inSlot(path, async () => {
      begun.push(path.join("/"));
      await held.promise;
    });
  const all = ["a", "b", "a"].map((who) => come("door", "north", who));
  await setImmediate();
  all.push(come("door", "south", "c"), come("shop", "west", "d"));
  await setImmediate();
  expect(begun).toEqual(["door/north/a", "door/north/b", "door/south/c", "shop/west/d"]);
  held.resolve();
  await Promise.all(all);
  expect(begun).toHaveLength(5);
});
