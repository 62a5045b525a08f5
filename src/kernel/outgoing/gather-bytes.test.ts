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
  await expect(gatherBytes(singles(301), 300, tooLarge)).rejects.toThrow("too large");
});

test("no piece is held once its bytes are taken", async () => {
  async function* sameAgain(): AsyncGenerator<Uint8Array> {
    const piece = new Uint8Array(1);
    for (let at = 0; at < 1_000; at++) {
      piece[0] = at % 251;
      yield piece;
    }
  }
  const whole = await gatherBytes(sameAgain(), 1_000, tooLarge);
  expect([...whole]).toEqual(Array.from({ length: 1_000 }, (_, at) => at % 251));
});
