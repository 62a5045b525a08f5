import { expect, test } from "bun:test";
import { readNewest } from "./newest-lines.ts";

async function* linesOf(...texts: string[]) {
  for (const text of texts) yield { text };
}
const textsOf = async (most: number, ...texts: string[]) =>
  (await readNewest(linesOf(...texts), most)).map(({ text }) => text);

test("lines that fit are all kept, in their order", async () => {
  expect(await textsOf(6, "a", "bb", "ccc")).toEqual(["a", "bb", "ccc"]);
  expect(await textsOf(6)).toEqual([]);
});

test("of more the newest are kept, and the last one in any case", async () => {
  expect(await textsOf(5, "a", "bb", "ccc")).toEqual(["bb", "ccc"]);
  expect(await textsOf(5, "aaaa", "b", "c", "d")).toEqual(["b", "c", "d"]);
  expect(await textsOf(5, "a", "b", "ccccccccc")).toEqual(["ccccccccc"]);
});

test("long lines without end hold no more than that", async () => {
  async function* many() {
    for (let at = 0; at < 5000; at += 1) yield { text: `${at} ${"x".repeat(1000)}` };
  }
  const kept = await readNewest(many(), 10_100);
  expect(kept.map(({ text }) => text.slice(0, 4))).toEqual(Array.from({ length: 10 }, (_, at) => String(4990 + at)));
});
