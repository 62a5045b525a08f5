import { expect, test } from "bun:test";
import fc from "fast-check";
import { createBodyBudget } from "./body-budget.ts";
import { AppError } from "./errors.ts";

const MIB = 1_048_576;
const EACH = 8 * MIB;
const ALL = 32 * MIB;

/** Reads that stay open: `hold` takes and gives how to end, or the status of the refusal. */
function openReads() {
  const budget = createBodyBudget({ each: EACH, all: ALL });
  return async (key: string, bytes: number): Promise<{ end: () => Promise<void> } | number> => {
    let finish = () => {};
    const ended = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let refusal = 0;
    const reading = budget(key, async (take) => {
      try {
        take(bytes);
      } catch (error) {
        refusal = error instanceof AppError ? error.status : -1;
        return;
      }
      await ended;
    });
    if (refusal !== 0) return refusal;
    return {
      end: async () => {
        finish();
        await reading;
      },
    };
  };
}

test("a key has its own bound, told with 429; what is left for all is told with 503", async () => {
  const hold = openReads();
  expect(await hold("a", EACH)).toBeObject();
  expect(await hold("a", 1)).toBe(429);
  expect(await hold("b", 3 * MIB)).toBeObject();
  expect(await hold("b", 3 * MIB)).toBe(503);
  expect(await hold("c", EACH / 2)).toBe(503);
  expect(await hold("c", MIB)).toBeObject();
});

test("400 that hold as much as they may leave something to each of them and to who comes then", async () => {
  const hold = openReads();
  let total = 0;
  const admitted = new Set<string>();
  for (let size = EACH; size >= 64; size /= 2) {
    for (let at = 0; at < 400; at++) {
      if (typeof (await hold(`network ${at}`, size)) === "number") continue;
      admitted.add(`network ${at}`);
      total += size;
    }
  }
  expect(total).toBeLessThan(ALL);
  expect(total).toBeGreaterThan(ALL / 2);
  expect(admitted.size).toBe(400);
  expect(await hold("somebody else", 1_024)).toBeObject();
});

test("what was taken is given back, also when the reading fails, and the bound holds at every moment", async () => {
  const step = fc.record({
    key: fc.constantFrom("a", "b", "c", "d", "e", "f"),
    bytes: fc.nat(9 * MIB),
    ends: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const hold = openReads();
      const open: { bytes: number; end: () => Promise<void> }[] = [];
      for (const { key, bytes, ends } of steps) {
        const outcome = await hold(key, bytes);
        if (typeof outcome !== "number") open.push({ bytes, end: outcome.end });
        if (ends) await open.shift()?.end();
        expect(open.reduce((sum, each) => sum + each.bytes, 0)).toBeLessThanOrEqual(ALL);
      }
      for (const { end } of open) await end();
      expect(await hold("a", EACH)).toBeObject();
    }),
  );
  const budget = createBodyBudget({ each: EACH, all: ALL });
  for (let turn = 0; turn < 10; turn++) {
    const broken = budget("a", async (take) => {
      take(EACH);
      throw new Error("the other side is gone");
    });
    expect(broken).rejects.toThrow("gone");
    await broken.catch(() => {});
  }
});
