import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { runs } from "../../tests/kit/runs.ts";
import { until } from "../../tests/kit/until.ts";
import { createFairTurns, giveWay, type Whose } from "./fair-turns.ts";

/** Callers who take some time each, and who of them was answered so far. */
function crowd() {
  let now = 0;
  const pass = createFairTurns({ monotonic: () => now });
  const answered: string[] = [];
  const come = async (whose: Whose, ms: number): Promise<void> => {
    const turn = pass(whose);
    if (turn === null || (turn !== undefined && !(await turn))) throw new Error("too many");
    now += ms;
    answered.push(whose.join("/"));
  };
  /** The turn of the event loop that it is in takes so long. */
  const goOn = (ms: number): void => {
    now += ms;
  };
  return { answered, come, pass, goOn };
}

test("who asks for what is quick passes at once, and of very many the rest wait for the next turn", async () => {
  const { pass } = crowd();
  for (let turn = 0; turn < 20; turn++) {
    for (let no = 0; no < 64; no++) expect(pass(["one", "ada"])).toBeUndefined();
    let isIn = false;
    void pass(["one", "ada"])?.then(() => {
      isIn = true;
    });
    expect(isIn).toBe(false);
    await setImmediate();
    await setImmediate();
    expect(isIn).toBe(true);
    await setImmediate();
  }
});

test("of those who wait the one goes first whose group has taken the least time, and in it who", async () => {
  const { answered, come } = crowd();
  const all: Promise<void>[] = [];
  const arrive = async (whose: Whose, ms: number): Promise<void> => {
    all.push(come(whose, ms));
    // What needs no other turn is done before the next one arrives.
    await Promise.resolve();
    await Promise.resolve();
  };
  for (let time = 0; time < 3; time++) await arrive(["one", "ada"], 50);
  await arrive(["two", "bo"], 1);
  await arrive(["one", "ida"], 1);
  await arrive(["two", "bo"], 1);
  await Promise.all(all);
  expect(answered).toEqual(["one/ada", "two/bo", "two/bo", "one/ida", "one/ada", "one/ada"]);
});

test("what a turn took counts for all who passed in it, in equal parts, whoever was first or last", async () => {
  const member = fc.tuple(fc.constantFrom("one", "two", "three"), fc.constantFrom("ada", "bo"));
  const members = fc.array(member, { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(members, members, async (early, late) => {
      const { answered, come, pass, goOn } = crowd();
      for (const whose of early) expect(pass(whose)).toBeUndefined();
      goOn(50);
      await Promise.all(late.map((whose) => come(whose, 0)));
      const ofGroup = ([group]: Whose) => early.filter((one) => one[0] === group).length;
      const ofMember = (whose: Whose) => early.filter((one) => one.join() === whose.join()).length;
      const expected = late.toSorted((a, b) => ofGroup(a) - ofGroup(b) || ofMember(a) - ofMember(b));
      expect(answered).toEqual(expected.map((whose) => whose.join("/")));
    }),
    { numRuns: runs(25) },
  );
});

test("a group without a name is a group like others: who comes as a new part of it waits no longer than its parts", async () => {
  const { answered, come } = crowd();
  const asks = async (whose: Whose, times: number): Promise<void> => {
    for (let time = 0; time < times; time++) await come(whose, 50);
  };
  // Of three parts each has its share of the group's time, which is much less than what the only member of the other takes.
  const parts = Array.from({ length: 3 }, (_, no) => asks(["", `provider ${no}`], 80));
  const account = asks(["account", "ada"], 240);
  await until(() => answered.length >= 200, { everyMs: 1 });
  const before = answered.length;
  await come(["", "provider new"], 50);
  expect(answered.length - before).toBeLessThan(60);
  await Promise.all([...parts, account]);
});

test("others are answered between the parts of a crowd, and after it nobody waits", async () => {
  const { answered, come, pass } = crowd();
  const all = Array.from({ length: 20 }, () => come(["one", "ada"], 50));
  await setImmediate();
  const before = answered.length;
  await come(["two", "bo"], 1);
  expect(answered.length - before).toBeLessThanOrEqual(3);
  await Promise.all(all);
  await setImmediate();
  expect(pass(["one", "ada"])).toBeUndefined();
});

test("only so many of one wait", async () => {
  const { come, pass } = crowd();
  const all = [come(["one", "ada"], 50)];
  await Promise.resolve();
  for (let no = 0; no < 200; no++) all.push(come(["one", "ada"], 0));
  expect(pass(["one", "ada"])).toBeNull();
  expect(pass(["one", "ida"])).toBeInstanceOf(Promise);
  await Promise.all(all);
});

test("who comes later does not have all others wait until it has taken as much", async () => {
  const { answered, come } = crowd();
  const times = (count: number, whose: Whose) => Array.from({ length: count }, () => come(whose, 50));
  const all = [...times(20, ["one", "ada"]), ...times(12, ["two", "bo"])];
  while (answered.length < 24) await setImmediate();
  all.push(...times(20, ["three", "cy"]));
  const before = answered.length;
  await come(["two", "ida"], 1);
  expect(answered.slice(before).filter((who) => who === "three/cy").length).toBeLessThanOrEqual(2);
  const later = answered.length;
  all.push(...times(20, ["two", "di"]));
  await come(["two", "bo"], 1);
  expect(answered.slice(later).filter((who) => who === "two/di").length).toBeLessThanOrEqual(2);
  await Promise.all(all);
});

test("where all places are taken, the group that has most of them makes room, and only for who has less", async () => {
  const { come, pass } = crowd();
  const all = [come(["one", "ada"], 50)];
  await Promise.resolve();
  for (let no = 0; no < 4_000; no++) all.push(come([no < 3_900 ? "one" : "two", `${no % 100}`], 0));
  expect(pass(["two", "bo"])).toBeInstanceOf(Promise);
  expect(pass(["one", "7"])).toBeNull();
  const ends = await Promise.allSettled(all);
  const rejected = ends.flatMap(({ status }, index) => (status === "rejected" ? [index] : []));
  expect(rejected).toHaveLength(1);
  expect(rejected[0]).toBeLessThanOrEqual(3_900);
});

test("where one group has all places, who has most of it makes room for the others of it", async () => {
  const { come } = crowd();
  const all: Promise<void>[] = [];
  // The first four pass at once.
  for (let no = 0; no < 4_064; no++) all.push(come(["", `${no % 40}`], 0));
  all.push(come(["", "newcomer"], 0));
  const ends = await Promise.allSettled(all);
  expect(ends.at(-1)?.status).toBe("fulfilled");
  expect(ends.filter(({ status }) => status === "rejected")).toHaveLength(1);
});

test("a provider with any number of networks makes room for the networks of others, and those go in its middle", async () => {
  const { come, pass, answered } = crowd();
  const all: Promise<void>[] = [];
  for (let no = 0; no < 4_064; no++) all.push(come(["", "provider", `site ${no % 3}`, `net ${no}`], 1));
  all.push(come(["", "other", "its site", "its net"], 1));
  expect(pass(["", "provider", "site 1", "one more"])).toBeNull();
  const ends = await Promise.allSettled(all);
  expect(ends.at(-1)?.status).toBe("fulfilled");
  expect(answered.indexOf("/other/its site/its net")).toBeLessThan(200);
});

test("between the parts of something long others go first, also where too many wait", async () => {
  const { come, pass, answered } = crowd();
  const long = (async () => {
    for (let part = 0; part < 5; part += 1) {
      await giveWay(pass, ["one", "ada"]);
      await come(["one", "ada"], 50);
    }
  })();
  await setImmediate();
  const before = answered.length;
  await come(["two", "bo"], 1);
  expect(answered.length - before).toBeLessThanOrEqual(2);
  await long;
  for (let no = 0; no < 300; no += 1) void pass(["one", "ada"]);
  expect(pass(["one", "ada"])).toBeNull();
  await giveWay(pass, ["one", "ada"]);
});
