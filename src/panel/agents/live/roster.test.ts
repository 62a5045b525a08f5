import { expect, test } from "bun:test";
import fc from "fast-check";
import { nodeFacts } from "../../../../tests/kit/node-facts.ts";
import { createRoster } from "./roster.ts";

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("put" as const), no: fc.nat(12), tenant: fc.constantFrom("a", "b") }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove" as const), no: fc.nat(12) }) },
  // The node comes back under another number, as after it was deleted.
  { weight: 1, arbitrary: fc.record({ do: fc.constant("renumber" as const), no: fc.nat(12) }) },
  { weight: 3, arbitrary: fc.constant({ do: "list" as const }) },
);

test("a node keeps its place whatever changes about it, and the list always holds what is known", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const roster = createRoster();
      const expected: Record<string, string[]> = { a: [], b: [] };
      const latest = new Map<string, ReturnType<typeof nodeFacts>>();
      let count = 100;
      const drop = (id: string) => {
        for (const [name, ids] of Object.entries(expected)) expected[name] = ids.filter((each) => each !== id);
      };
      const check = () => {
        for (const [name, ids] of Object.entries(expected)) {
          const own = roster.tenant(name);
          expect(own.list()).toEqual(ids.flatMap((id) => latest.get(id) ?? []));
          expect(own.list()).toBe(own.list());
        }
      };
      for (const [index, each] of steps.entries()) {
        if (each.do === "list") check();
        if (each.do === "list") continue;
        const id = `node-${each.no}`;
        const before = latest.get(id);
        if (each.do === "remove") {
          roster.remove(id);
          drop(id);
          latest.delete(id);
          continue;
        }
        const no = each.do === "renumber" ? ++count : (before?.no ?? each.no);
        const tenant = each.do === "renumber" ? (before?.tenant_id ?? "a") : each.tenant;
        const facts = nodeFacts(no, { id, tenant_id: tenant, hostname: `turn-${index}` });
        const versions = roster.tenant(tenant).version();
        expect(roster.put(facts)).toBe(before ?? null);
        expect(roster.tenant(tenant).version()).toBeGreaterThan(versions);
        if (before?.no !== no || before.tenant_id !== tenant) drop(id);
        if (!expected[tenant]?.includes(id)) expected[tenant]?.push(id);
        latest.set(id, facts);
      }
      check();
      expect(roster.count()).toBe(latest.size);
      expect(roster.numbers()).toEqual([...latest.values()].map(({ no }) => no).sort((a, b) => a - b));
    }),
    { numRuns: 300 },
  );
});
