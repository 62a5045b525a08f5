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

const later = (number: number): string => `2026-01-01T00:00:00.00000000${number}Z`;
// 16,383 bytes and then a letter of two, so that the engine cuts through the letter.
const long = `${"a".repeat(16_383)}ü${"b".repeat(16_382)}!${"c".repeat(10)}`;

test.each([7, 4096, 100_000])(
  "a line that the engine cut into entries is one again, read by %i bytes",
  async (size) => {
    const bytes = encoder.encode(long);
    const entry = (number: number, from: number, to: number, end = "") =>
      concat(encoder.encode(`${later(number)} `), bytes.subarray(from, to), encoder.encode(end));
    const raw = (stream: number, body: Uint8Array) => {
      const whole = new Uint8Array(8 + body.length);
      whole[0] = stream;
      new DataView(whole.buffer).setUint32(4, body.length);
      whole.set(body, 8);
      return whole;
    };
    const stream = concat(
      raw(1, entry(1, 0, 16_384)),
      raw(2, encoder.encode(`${later(2)} between\n`)),
      raw(1, entry(3, 16_384, 32_768)),
      raw(1, entry(4, 32_768, bytes.length, "\n")),
      raw(1, encoder.encode(`${later(5)} ${later(6)} is text here\n`)),
    );
    expect(await Array.fromAsync(readOutput(cut(stream, size)))).toEqual([
      { at: later(2), stream: "stderr", text: "between" },
      { at: later(1), stream: "stdout", text: long },
      { at: later(5), stream: "stdout", text: `${later(6)} is text here` },
    ]);
  },
);

test("the same holds for a terminal, whose output has no frames", async () => {
  const text = `${"a".repeat(16_384)}${"b".repeat(16_384)}${later(7)} as text`;
  const entries = [text.slice(0, 16_384), text.slice(16_384, 32_768), text.slice(32_768)];
  const bytes = encoder.encode(`${entries.map((part, index) => `${later(index + 1)} ${part}`).join("")}\r\n`);
  expect(await Array.fromAsync(readOutput(cut(bytes, 1000)))).toEqual([{ at: later(1), stream: "stdout", text }]);
});

test("a line without end costs no memory without end", async () => {
  async function* endless() {
    for (let number = 0; number < 100; number++) yield frame(1, `${T} ${"x".repeat(16_384)}`);
    yield frame(1, `${T} end\n`);
    yield frame(1, `${T} next\n`);
  }
  const [first, second] = await Array.fromAsync(readOutput(endless()));
  expect(first?.text.length).toBeLessThan(300_000);
  expect(second?.text).toBe("next");
});
