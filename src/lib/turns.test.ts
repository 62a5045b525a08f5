import { expect, test } from "bun:test";
import { createFakeClock } from "../../tests/kit/fake-clock.ts";
import { createTurns } from "./turns.ts";

test("one runs at a time, in order, and one that fails lets the next go", async () => {
  const turns = createTurns(createFakeClock(), 1000, () => new Error("too long"));
  const seen: string[] = [];
  const task = (name: string, fails = false) =>
    turns(async () => {
      seen.push(`${name} begins`);
      await Promise.resolve();
      seen.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const all = await Promise.allSettled([task("a"), task("b", true), task("c")]);
  expect(all.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(seen).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

test("one that hangs loses its turn, is told so, and keeps nobody waiting for longer", async () => {
  const clock = createFakeClock();
  const turns = createTurns(clock, 1000, () => new Error("too long"));
  let told: AbortSignal | null = null;
  const hangs = turns((end) => {
    told = end;
    return new Promise<void>(() => {});
  }).catch((error) => String(error));
  const next = turns(async (end) => end.aborted);
  await clock.advance(999);
  expect(told).toMatchObject({ aborted: false });
  await clock.advance(1);
  expect(await hangs).toBe("Error: too long");
  expect(told).toMatchObject({ aborted: true, reason: new Error("too long") });
  expect(await next).toBe(false);
  // The time of one that ended is nobody else's.
  expect(await turns(async () => "well")).toBe("well");
  await clock.advance(5000);
});
