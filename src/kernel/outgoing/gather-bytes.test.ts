import { expect, test } from "bun:test";
import { gatherBytes } from "./gather-bytes.ts";

const tooLarge = () => new Error("too large");

async function* singles(count: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < count; at++) yield Uint8Array.of(at % 251);
}

test("bytes come back in order, up to the limit", async () => {
  expect([...(await gatherBytes(singles(300), 300, tooLarge))]).toEqual(
    Array.from({ length: 300 }, (_, at) => at % 251),
  );
  expect(gatherBytes(singles(301), 300, tooLarge)).rejects.toThrow("too large");
});

test("a reply of single bytes takes no more room than its bytes do", async () => {
  const before = process.memoryUsage().rss;
  expect((await gatherBytes(singles(1_500_000), 2_000_000, tooLarge)).length).toBe(1_500_000);
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1_048_576);
});
