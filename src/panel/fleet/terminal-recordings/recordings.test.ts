import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { runs } from "../../../../tests/kit/runs.ts";
import { createCastWriter } from "./asciicast.ts";
import { fullWith } from "./recorder.ts";
import { createChunks, DamagedChunk, readChunks } from "./sealed-chunks.ts";

const KEY = Buffer.alloc(32, 7);
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-rec-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("what is recorded is what was shown, however its bytes came in pieces", () => {
  const piece = fc.record({ bytes: fc.uint8Array({ maxLength: 40 }), wait: fc.nat(200), isTaken: fc.boolean() });
  const text = fc.string({ unit: "grapheme", maxLength: 200 }).map((words) => Buffer.from(words));
  const cut = fc.tuple(text, fc.array(fc.nat(20), { maxLength: 40 })).map(([bytes, sizes]) => {
    let left: Uint8Array = bytes;
    return sizes.concat(bytes.length).map((size) => {
      const first = left.slice(0, size);
      left = left.slice(size);
      return { bytes: first, wait: size, isTaken: size % 3 === 0 };
    });
  });
  fc.assert(
    fc.property(fc.oneof(fc.array(piece), cut), (pieces) => {
      const cast = createCastWriter({ columns: 80, rows: 24, startedAt: 0, title: "x" });
      let lines = "";
      let at = 0;
      for (const { bytes, wait, isTaken } of pieces) {
        at += wait;
        cast.output(bytes, at);
        if (isTaken) lines += cast.take();
      }
      lines += cast.end();
      const events: [number, string, string][] = lines
        .trim()
        .split("\n")
        .slice(1)
        .map((line) => JSON.parse(line));
      const whole = Buffer.concat(pieces.map(({ bytes }) => bytes));
      expect(events.map(([, , shown]) => shown).join("")).toBe(
        new TextDecoder("utf-8", { ignoreBOM: true }).decode(whole),
      );
      const times = events.map(([time]) => time);
      expect(times).toEqual(times.toSorted((left, right) => left - right));
    }),
    { numRuns: runs(200) },
  );
});

async function written(count: number) {
  const path = join(folder, "one");
  const chunks = await createChunks(path, "rec_1", KEY);
  for (let number = 0; number < count; number++) await chunks.append(Buffer.from(`part ${number}`));
  await chunks.close();
  return { path, state: { ...chunks.state } };
}

const read = async (path: string, state: { chunks: number; chain: string }, id = "rec_1") => {
  const parts: string[] = [];
  for await (const part of readChunks(path, id, KEY, state)) parts.push(Buffer.from(part).toString());
  return parts;
};

test("chunks come back in order; what a crash leaves after them is passed over", async () => {
  const { path, state } = await written(3);
  const parts = ["part 0", "part 1", "part 2"];
  expect(await read(path, state)).toEqual(parts);
  // The row was behind the file.
  const behind = await written(0).catch(() => null);
  expect(behind).toBeNull();
  expect(await read(path, { chunks: 0, chain: "" })).toEqual(parts);
  appendFileSync(path, Buffer.from([0, 0, 0, 90, 1, 2, 3]));
  expect(await read(path, state)).toEqual(parts);
});

test("any changed, missing, moved or foreign byte is noticed", async () => {
  const { path, state } = await written(3);
  const bytes = readFileSync(path);
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    writeFileSync(path, changed);
    await expect(read(path, state)).rejects.toBeInstanceOf(DamagedChunk);
  }
  writeFileSync(path, bytes);
  await expect(read(path, state, "rec_2")).rejects.toBeInstanceOf(DamagedChunk);
  const size = bytes.length / 3;
  writeFileSync(
    path,
    Buffer.concat([bytes.subarray(size, 2 * size), bytes.subarray(0, size), bytes.subarray(2 * size)]),
  );
  await expect(read(path, state)).rejects.toBeInstanceOf(DamagedChunk);
  writeFileSync(path, bytes);
  truncateSync(path, 2 * size);
  await expect(read(path, state)).rejects.toBeInstanceOf(DamagedChunk);
});

test("workspaces that take all the room leave some to those that have little", () => {
  const gibibyte = 1_073_741_824;
  const ofWorkspace = new Map([
    ["greedy", 2 * gibibyte],
    ["small", 1_048_576],
  ]);
  const full = { all: 20 * gibibyte + 1, ofWorkspace };
  expect(fullWith(full, "greedy", 0)).toContain("recordings of this panel");
  expect([fullWith(full, "small", 0), fullWith(full, "new", 0)]).toEqual([null, null]);
  expect(fullWith({ all: 25 * gibibyte + 1, ofWorkspace }, "new", 0)).toContain("recordings of this panel");
});
