import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { oracle } from "../../../../tests/kit/list-oracle.ts";
import { createTestFleet } from "../../../../tests/kit/test-fleet.ts";
import type { Whose } from "../../../lib/fair-turns.ts";
import { inSteps } from "../../../lib/sort-in-steps.ts";
import { listInstances } from "./list.ts";
import { createFleetIndexes } from "./node-index.ts";
import { createScanTurns } from "./scan-turns.ts";

const ADA = { tenant_id: "t1", account_id: "ada" };
const TAGS = Array.from({ length: 50 }, (_, no) => `Tag-${no}`);

test("of many nodes with many tags each tag is put in small letters once, not for every question", async () => {
  const { fleet, put } = createTestFleet(createFakeClock());
  let reads = 0;
  const tags = new Proxy(TAGS, {
    get(target, key) {
      if (key === "length") reads += 1;
      return Reflect.get(target, key);
    },
  });
  for (let no = 0; no < 20; no++) put(no, { tags });
  const indexes = createFleetIndexes();
  indexes.indexOf(fleet);
  reads = 0;
  const filter = { tag: TAGS.map((tag) => tag.toUpperCase()), not: { tag: TAGS.map((tag) => `${tag}x`) } };
  expect((await inSteps(listInstances(indexes, fleet, { ...filter, per_page: 1 }), () => undefined)).total).toBe(20);
  // Those of the one that is shown; twenty nodes with a hundred conditions would be thousands.
  expect(reads).toBeLessThan(200);
});

test("a list lets others go between its steps and is of the fleet as it was, whatever happens to it meanwhile", async () => {
  const { fleet, put, remove } = createTestFleet(createFakeClock());
  for (let no = 0; no < 1_000; no++) put(no, { hostname: `host-${no}`, tags: no % 2 === 0 ? ["even"] : ["odd"] });
  const indexes = createFleetIndexes();
  const filter = { tag: ["EVEN"], not: { q: ["host-7"] }, per_page: 200 };
  const before = oracle(fleet, filter, "host");
  let pauses = 0;
  const page = await inSteps(listInstances(indexes, fleet, filter), async () => {
    pauses += 1;
    remove(`node-${1_000 - pauses}`);
    put(pauses, { hostname: "other", tags: ["new", "odd"] });
    indexes.indexOf(fleet);
  });
  expect(pauses).toBeGreaterThan(50);
  expect([page.total, page.facets.regions]).toEqual([before.total, before.facets.regions]);
  expect((await inSteps(listInstances(indexes, fleet, filter), () => undefined)).total).toBe(
    oracle(fleet, filter, "host").total,
  );
});

test("one scan of an account is under way at a time, those of others do not wait for it, and too many are refused", async () => {
  const clock = createFakeClock();
  const turns: Whose[] = [];
  const inScanTurn = createScanTurns({ clock, takeTurn: (whose) => void turns.push(whose) });
  const held = Promise.withResolvers<void>();
  let underWay = 0;
  const own = Array.from({ length: 100 }, () =>
    inScanTurn(ADA, async (othersFirst) => {
      underWay += 1;
      await held.promise;
      await clock.advance(4);
      await othersFirst();
    }),
  );
  await expect(inScanTurn(ADA, async () => {})).rejects.toMatchObject({ code: "too_many_requests" });
  expect(await inScanTurn({ ...ADA, account_id: "bob" }, async () => "done")).toBe("done");
  expect(underWay).toBe(1);
  held.resolve();
  await Promise.all(own);
  expect([underWay, turns.length, turns[0]]).toEqual([100, 100, ["t1", "ada"]]);
  expect(await inScanTurn(ADA, async () => "again")).toBe("again");
});
