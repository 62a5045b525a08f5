import { expect, test } from "bun:test";
import { createKeyedGate } from "./keyed-gate.ts";

test("tasks of one owner run one after the other, also after one that failed, and those of another do not wait", async () => {
  const gate = createKeyedGate();
  const begun: string[] = [];
  const ends: Record<string, PromiseWithResolvers<string>> = {};
  const begin = (owner: string, name: string) => {
    const end = Promise.withResolvers<string>();
    ends[name] = end;
    return gate(owner, () => {
      begun.push(name);
      return end.promise;
    });
  };
  const [first, second, third, other] = [begin("a", "1"), begin("a", "2"), begin("a", "3"), begin("b", "4")];
  await Promise.resolve();
  expect(begun).toEqual(["1", "4"]);
  ends["1"]?.reject(new Error("no"));
  await expect(first).rejects.toThrow("no");
  ends["2"]?.resolve("two");
  expect(await second).toBe("two");
  ends["3"]?.resolve("three");
  ends["4"]?.resolve("four");
  expect([await third, await other, begun]).toEqual(["three", "four", ["1", "4", "2", "3"]]);
});

test("where several may run, the next begins when one of them ends", async () => {
  const gate = createKeyedGate(2);
  const begun: number[] = [];
  const ends = [1, 2, 3].map(() => Promise.withResolvers<void>());
  const all = ends.map(({ promise }, at) =>
    gate("a", async () => {
      begun.push(at);
      await promise;
    }),
  );
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  ends[1]?.resolve();
  await all[1];
  expect(begun).toEqual([0, 1, 2]);
  for (const { resolve } of ends) resolve();
  await Promise.all(all);
});
