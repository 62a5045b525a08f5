import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { type BufferOptions, type LineBuffer, openLineBuffer, type Position } from "./line-buffer.ts";
import { readPart } from "./segments.ts";

const root = mkdtempSync(join(tmpdir(), "line-buffer-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;
const newFolder = (): string => join(root, String(folders++));
const ALL = { lines: 1_000, bytes: 524_288 };
const bytesOf = (lines: readonly string[]): Uint8Array[] => lines.map((line) => Buffer.from(line));

function openAt(folder: string, rest: Partial<BufferOptions> = {}): Promise<LineBuffer> {
  return openLineBuffer({ folder, limit: 1_000_000, segmentBytes: 400, onDrop: () => {}, ...rest });
}

/** Everything that waits, in order. */
async function readAll(buffer: LineBuffer, from = buffer.start()): Promise<{ lines: string[]; end: Position }> {
  const all: string[] = [];
  let place = from;
  for (;;) {
    const { lines, end } = await buffer.read(place, ALL);
    if (lines.length === 0) return { lines: all, end };
    all.push(...lines.map(String));
    place = end;
  }
}

test("lines come back in their order, also after a restart, and go once they are acknowledged", async () => {
  const folder = newFolder();
  const first = await openAt(folder);
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
  await first.append(bytesOf(lines.slice(0, 60)));
  const { end } = await first.read(first.start(), { lines: 40, bytes: 524_288 });
  await first.acknowledge(end, end.line);
  await first.close();

  const second = await openAt(folder);
  expect(second.counts()).toMatchObject({ sent: end.line, waiting: 60 - end.line, dropped: 0 });
  await second.append(bytesOf(lines.slice(60)));
  const rest = await readAll(second);
  expect(rest.lines).toEqual(lines.slice(end.line));
  await second.acknowledge(rest.end, rest.lines.length);
  expect(second.counts()).toEqual({ sent: 100, waiting: 0, waiting_bytes: 0, dropped: 0 });
  expect(readdirSync(folder)).toEqual(["state"]);
  await second.close();
});

test("beyond the limit the oldest lines go, and how many is counted to the line", async () => {
  const told: unknown[] = [];
  const buffer = await openAt(newFolder(), { limit: 2_000, onDrop: (...drop) => void told.push(drop) });
  for (let index = 0; index < 300; index++) await buffer.append(bytesOf([`line ${index}`]));
  const { lines } = await readAll(buffer);
  const { waiting, waiting_bytes, dropped } = buffer.counts();
  expect(waiting_bytes).toBeLessThanOrEqual(2_000);
  expect(lines.length).toBe(waiting);
  expect(lines[0]).toBe(`line ${dropped}`);
  expect(lines.at(-1)).toBe("line 299");
  expect(dropped + waiting).toBe(300);
  expect(told.every((drop) => Array.isArray(drop) && drop[1] === "limit")).toBe(true);
  await buffer.close();
});

test("lines that went while they were being sent are dropped, and the sending goes on behind them", async () => {
  const buffer = await openAt(newFolder(), { limit: 1_000 });
  await buffer.append(bytesOf(["a".repeat(300)]));
  const { end } = await buffer.read(buffer.start(), ALL);
  for (let index = 0; index < 10; index++) await buffer.append(bytesOf([String(index).repeat(300)]));
  await buffer.acknowledge(end, 1);
  const { lines } = await readAll(buffer, end);
  expect(lines.at(-1)).toBe("9".repeat(300));
  expect(lines.length).toBe(buffer.counts().waiting);
  await buffer.close();
});

test("a full disk loses the new lines, says how many, and harms nothing that is there", async () => {
  let isFull = false;
  const told: unknown[] = [];
  const folder = newFolder();
  const buffer = await openAt(folder, {
    onDrop: (...drop) => void told.push(drop),
    async write(file, bytes, at) {
      const fits = isFull ? bytes.subarray(0, bytes.length / 2) : bytes;
      await file.write(fits, 0, fits.length, at);
      if (isFull) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    },
  });
  await buffer.append(bytesOf(["one", "two"]));
  isFull = true;
  await buffer.append(bytesOf(["three", "four", "five"]));
  isFull = false;
  await buffer.append(bytesOf(["six"]));
  expect(told).toEqual([[3, "disk"]]);
  expect((await readAll(buffer)).lines).toEqual(["one", "two", "six"]);
  await buffer.close();
  const again = await openAt(folder);
  expect((await readAll(again)).lines).toEqual(["one", "two", "six"]);
  expect(again.counts()).toMatchObject({ waiting: 3, dropped: 3 });
  await again.close();
});

test("a damaged file costs its own lines only, and they are counted", async () => {
  const folder = newFolder();
  const buffer = await openAt(folder);
  for (let index = 0; index < 40; index++) await buffer.append(bytesOf([`line ${index} ${"x".repeat(40)}`]));
  await buffer.close();
  const [, second = "", third = ""] = readdirSync(folder).sort();
  const bytes = readFileSync(join(folder, second));
  bytes.fill(0xff, 60, 70);
  writeFileSync(join(folder, second), bytes);
  const again = await openAt(folder);
  const { lines } = await readAll(again);
  const lost = Number.parseInt(third, 10) - Number.parseInt(second, 10) - 1;
  expect(again.counts().dropped).toBe(lost);
  expect(lines.length).toBe(40 - lost);
  expect(lines.at(-1)).toStartWith("line 39 ");
  await again.close();
});

test("a program that can open no more files for a while loses no line by it", async () => {
  let isShort = true;
  const buffer = await openAt(newFolder(), {
    async read(...args) {
      if (isShort) throw Object.assign(new Error("too many open files"), { code: "EMFILE" });
      return readPart(...args);
    },
  });
  await buffer.append(bytesOf(["one", "two"]));
  await expect(buffer.read(buffer.start(), ALL)).rejects.toThrow("too many open files");
  isShort = false;
  expect((await readAll(buffer)).lines).toEqual(["one", "two"]);
  expect(buffer.counts().dropped).toBe(0);
  await buffer.close();
});

interface Snapshot {
  files: Map<string, number>;
  note: Buffer;
}

const takeSnapshot = (folder: string): Snapshot => ({
  files: new Map(
    readdirSync(folder)
      .filter((name) => name !== "state")
      .map((name) => [name, statSync(join(folder, name)).size]),
  ),
  note: readFileSync(join(folder, "state")),
});

/** Leaves of what the last step wrote only the first `share` of each file: the rest never reached it. */
function cutLastStep(folder: string, before: Snapshot, share: number): void {
  for (const [name, size] of takeSnapshot(folder).files) {
    const old = before.files.get(name) ?? 0;
    if (size > old) truncateSync(join(folder, name), old + Math.floor((size - old) * share));
  }
  const note = readFileSync(join(folder, "state"));
  const changed = note.findIndex((byte, index) => byte !== before.note[index]);
  if (changed === -1) return;
  const kept = Math.min(note.length, changed + Math.floor((note.length - changed) * share));
  writeFileSync(join(folder, "state"), Buffer.concat([note.subarray(0, kept), before.note.subarray(kept)]));
}

const step = fc.oneof(
  fc.record({
    kind: fc.constant("append" as const),
    sizes: fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 8 }),
  }),
  fc.record({ kind: fc.constant("send" as const), lines: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ kind: fc.constant("restart" as const) }),
);

test("whatever is done and wherever a crash cuts, what is not delivered comes back whole and in order", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 25 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (steps, share) => {
        const folder = newFolder();
        const written: string[] = [];
        let delivered = 0;
        let buffer = await openAt(folder);
        let before = takeSnapshot(folder);
        /** Lines before the last step, and those delivered before it: it may be cut. */
        let safe = { written: 0, delivered: 0 };
        for (const each of steps) {
          before = takeSnapshot(folder);
          safe = { written: written.length, delivered };
          if (each.kind === "append") {
            const lines = each.sizes.map((size, index) => `${written.length + index}:${"x".repeat(size)}`);
            await buffer.append(bytesOf(lines));
            written.push(...lines);
          } else if (each.kind === "send") {
            const { lines, end } = await buffer.read(buffer.start(), { ...ALL, lines: each.lines });
            expect(lines.map(String)).toEqual(written.slice(delivered, delivered + lines.length));
            await buffer.acknowledge(end, lines.length);
            delivered += lines.length;
          } else {
            await buffer.close();
            buffer = await openAt(folder);
            expect(buffer.counts()).toMatchObject({ waiting: written.length - delivered, sent: delivered, dropped: 0 });
          }
        }
        cutLastStep(folder, before, share);
        const after = await openAt(folder);
        const { lines } = await readAll(after);
        const first = lines[0] === undefined ? null : Number.parseInt(lines[0], 10);
        // What comes back begins no later than the first undelivered line, has no gap, and ends no earlier than what was safe.
        if (first !== null) {
          expect(first).toBeLessThanOrEqual(delivered);
          expect(lines).toEqual(written.slice(first, first + lines.length));
        }
        const end = first === null ? delivered : first + lines.length;
        expect(end).toBeGreaterThanOrEqual(safe.written);
        expect(after.counts().dropped).toBe(0);
        // It goes on from there.
        await after.append(bytesOf(["after the crash"]));
        expect((await readAll(after)).lines).toEqual([...lines, "after the crash"]);
        await after.close();
        await buffer.close();
        rmSync(folder, { recursive: true, force: true });
      },
    ),
    { numRuns: 150 },
  );
});
