import { expect, test } from "bun:test";
import { readOutput } from "./verbs/output.ts";

const encoder = new TextEncoder();

function frame(stream: number, text: string): Uint8Array {
  const body = encoder.encode(text);
  const bytes = new Uint8Array(8 + body.length);
  bytes[0] = stream;
  new DataView(bytes.buffer).setUint32(4, body.length);
  bytes.set(body, 8);
  return bytes;
}

async function* cut(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function concat(...parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(parts.flatMap((part) => [...part]));
}

const T = "2026-01-01T00:00:00.000000001Z";

test.each([1, 3, 7, 8, 9, 1000])("frames are put together from pieces of %i bytes", async (size) => {
  const bytes = concat(frame(1, `${T} grüße\n`), frame(2, `${T} oh no\n`), frame(1, `${T} \n`), frame(1, `${T} half`));
  expect(await Array.fromAsync(readOutput(cut(bytes, size)))).toEqual([
    { at: T, stream: "stdout", text: "grüße" },
    { at: T, stream: "stderr", text: "oh no" },
    { at: T, stream: "stdout", text: "" },
    { at: T, stream: "stdout", text: "half" },
  ]);
});

test("output of a container with a terminal has no frames", async () => {
  const bytes = encoder.encode(`${T} one\r\n${T} two\r\n`);
  expect(await Array.fromAsync(readOutput(cut(bytes, 5)))).toEqual([
    { at: T, stream: "stdout", text: "one" },
    { at: T, stream: "stdout", text: "two" },
  ]);
});
