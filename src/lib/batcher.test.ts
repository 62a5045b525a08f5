import { expect, test } from "bun:test";
import { createBatcher } from "./batcher.ts";

test("items that come while others are written share a batch, never more than allowed", async () => {
  const batches: number[][] = [];
  const write = createBatcher<number>(async (items) => {
    batches.push([...items]);
    await Bun.sleep(0);
  }, 3);
  await Promise.all([1, 2, 3, 4, 5, 6].map(write));
  expect(batches).toEqual([[1], [2, 3, 4], [5, 6]]);
});

test("only the item that cannot be written fails, and it is tried once alone", async () => {
  let tries = 0;
  const written = new Set<number>();
  const write = createBatcher<number>(async (items) => {
    await Bun.sleep(0);
    if (items.includes(3)) tries += 1;
    if (items.includes(3)) throw new Error("not this one");
    for (const item of items) written.add(item);
  }, 10);
  const answers = await Promise.all([1, 2, 3, 4].map((item) => write(item).then(() => "ok", String)));
  expect(answers).toEqual(["ok", "ok", "Error: not this one", "ok"]);
  expect([...written].sort()).toEqual([1, 2, 4]);
  expect(tries).toBe(2);
  expect(await write(3).catch(String)).toContain("not this one");
  expect(tries).toBe(3);
});
