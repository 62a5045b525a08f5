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
