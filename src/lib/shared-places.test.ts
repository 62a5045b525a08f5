import { expect, test } from "bun:test";
import { createFakeClock } from "../../tests/kit/fake-clock.ts";
import { createSharedPlaces, type SharingRules } from "./shared-places.ts";

function makeWorld(rules: SharingRules) {
  const clock = createFakeClock();
  const places = createSharedPlaces(clock, rules);
  const lost: string[] = [];
  let no = 0;
  /** What `who` (an account) gets in a workspace: the way to give the place back, or what is full. */
  function take(who: string, workspace: string) {
    const name = `${who}${++no}`;
    const place = places.take([
      { key: `account ${who}`, most: 4 },
      { key: `workspace ${workspace}`, most: 6 },
    ]);
    if (place.full !== null) return place.full === "all" ? "all" : place.full.key;
    place.lost.addEventListener("abort", () => lost.push(name));
    return place.give;
  }
  return { clock, take, lost };
}

test("the newest place of the one who has most goes to whoever has fewer, until all have as many", () => {
  const { take, lost } = makeWorld({ size: 6, fairMs: null });
  for (const who of ["a", "b"]) for (let no = 0; no < 3; no++) take(who, who);
  expect([take("c", "c"), lost]).toEqual([expect.any(Function), ["b6"]]);
  expect([take("d", "d"), lost]).toEqual([expect.any(Function), ["b6", "a3"]]);
  // Two, two, one and one: who has one gets no second one, and who has none finds one place of those with two.
  expect([take("c", "c"), take("d", "d")]).toEqual(["all", "all"]);
  take("e", "e");
  take("f", "f");
  expect(lost).toEqual(["b6", "a3", "b5", "a2"]);
  expect([take("g", "g"), lost.length]).toEqual(["all", 4]);
});

test("neither an account with many workspaces nor a workspace with many accounts counts for several", () => {
  const one = makeWorld({ size: 4, fairMs: null });
  for (const workspace of ["v", "w", "x", "y"]) one.take("a", workspace);
  one.take("b", "z");
  expect(one.lost).toEqual(["a4"]);
  const many = makeWorld({ size: 4, fairMs: null });
  for (const who of ["a", "b", "c", "d"]) many.take(who, "w");
  many.take("e", "z");
  expect(many.lost).toEqual(["d4"]);
});

test("own limits come first and cost nobody a place", () => {
  const { take, lost } = makeWorld({ size: 5, fairMs: null });
  for (let no = 0; no < 4; no++) take("a", "v");
  take("b", "w");
  expect([take("a", "x"), lost]).toEqual(["account a", []]);
});

test("where all have one, whoever was here for long makes room where that is the rule", async () => {
  const { clock, take, lost } = makeWorld({ size: 2, fairMs: 1_000 });
  take("a", "a");
  await clock.advance(600);
  take("b", "b");
  expect(take("c", "c")).toBe("all");
  await clock.advance(600);
  expect(take("b", "b")).toBe("all");
  take("c", "c");
  expect(lost).toEqual(["a1"]);
  expect(take("d", "d")).toBe("all");
});

test("a place that is lost or given back is given once", () => {
  const { take, lost } = makeWorld({ size: 2, fairMs: null });
  const [, second] = [take("a", "a"), take("a", "a")];
  const third = take("b", "b");
  expect(lost).toEqual(["a2"]);
  for (const give of [second, third, third]) if (typeof give === "function") give();
  take("b", "b");
  expect(take("b", "b")).toBe("all");
  expect(lost).toEqual(["a2"]);
});
