import { expect, test } from "bun:test";
import { withRelease } from "./release.ts";

function make() {
  const seen: string[] = [];
  async function* values(): AsyncGenerator<number, void, undefined> {
    try {
      yield 1;
      yield 2;
    } finally {
      seen.push("end");
    }
  }
  return { seen, guarded: withRelease(values(), () => seen.push("release")) };
}

test("all values come, and the end of the generator is the only one", async () => {
  const { seen, guarded } = make();
  const got: number[] = [];
  for await (const value of guarded) got.push(value);
  expect([got, seen]).toEqual([[1, 2], ["end"]]);
});

test("whoever leaves in the middle ends the generator", async () => {
  const { seen, guarded } = make();
  for await (const value of guarded) if (value === 1) break;
  expect(seen).toEqual(["end"]);
});

test("whoever leaves before the first value releases, once, and gets none afterwards", async () => {
  const { seen, guarded } = make();
  await guarded.return();
  await guarded.return();
  expect(seen).toEqual(["release"]);
  expect(await guarded.next()).toEqual({ done: true, value: undefined });
});
