import { expect, test } from "bun:test";
import { atMost } from "./bounded-body.ts";

test("a body may have as many bytes as there is room for, and not one more", async () => {
  const pieces = [new Uint8Array(3), new Uint8Array(2)];
  expect(await Array.fromAsync(atMost(pieces, 5))).toEqual(pieces);
  await expect(Array.fromAsync(atMost(pieces, 4))).rejects.toMatchObject({ code: "payload_too_large", status: 413 });
});
