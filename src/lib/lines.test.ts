import { expect, test } from "bun:test";
import { readLines } from "./lines.ts";

async function linesOf(chunks: readonly string[], most?: number): Promise<string[]> {
  async function* write() {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  const lines: string[] = [];
  for await (const line of readLines(write(), most)) lines.push(line);
  return lines;
}

test("lines are put together from pieces of any size, without their ends", async () => {
  expect(await linesOf(["a", "b\r\nc\n", "", "\n\nd"])).toEqual(["ab", "c", "", "", "d"]);
  expect(await linesOf([])).toEqual([]);
});

test("of a line that is too long the rest is left out, and the next one is whole", async () => {
  expect(await linesOf(["abc", "def", "ghi\nnext\n", "xyzuv"], 4)).toEqual(["abcd", "next", "xyzu"]);
});
