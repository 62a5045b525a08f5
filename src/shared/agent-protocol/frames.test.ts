import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { countCopied } from "../../../tests/kit/count-copied.ts";
import {
  FRAME_NESTING,
  FRAME_VALUES,
  FrameReader,
  FrameTooLong,
  frameText,
  readNodeFrame,
  readPanelFrame,
} from "./index.ts";

const LIMIT = 200;
type Raw = Readonly<Record<string, unknown>>;

/** Every frame in these bytes, and what was wrong with them. */
function readAll(parts: readonly Buffer[], limit = LIMIT) {
  const frames: Raw[] = [];
  const reader = new FrameReader(limit);
  let failure = "";
  try {
    for (const part of parts) reader.feed(part, { frame: (frame) => void frames.push(frame) });
  } catch (error) {
    failure = error instanceof FrameTooLong ? "too long" : String(error);
  }
  return { frames, failure, isWithin: failure === "" && reader.isWithin() };
}

const cut = (bytes: Buffer, cuts: readonly number[]): Buffer[] => {
  const places = [0, ...cuts.map((at) => at % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
};

describe("frames on their way", () => {
  const anyFrame = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
  const line = fc.oneof(
    { weight: 4, arbitrary: anyFrame.map((frame) => JSON.stringify(frame)) },
    fc.constantFrom("", "\r", "[]", "no json", '{"text":"ünïcödé ✓ 🦊"}', `{"x":"${"y".repeat(300)}"}`),
  );

  test("are the same however the bytes are cut", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), fc.array(fc.nat(4_000), { maxLength: 20 }), (lines, cuts) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(""));
        expect(readAll(cut(bytes, cuts))).toEqual(readAll([bytes]));
      }),
    );
  });

  test("byte by byte", () => {
    const frames = [{ kind: "wake" }, { text: "ü✓" }];
    const bytes = Buffer.from(`\n${frames.map((frame) => `${JSON.stringify(frame)}\n`).join("\r\n")}\n{"half":`);
    const all = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
    expect(readAll(all)).toEqual({ frames, failure: "", isWithin: true });
  });

  test("may be as long as allowed and no longer, whether or not they end", () => {
    const text = `{"x":"${"y".repeat(LIMIT - 8)}"}`;
    const whole = Buffer.from(`${text}\n`);
    for (const parts of [[whole], cut(whole, [1, 100]), [Buffer.from("{}\n"), whole]]) {
      expect(readAll(parts, LIMIT).failure).toBe("");
      expect(readAll(parts, LIMIT - 1).failure).toBe("too long");
    }
    expect(readAll([whole.subarray(0, -1)], LIMIT - 1).failure).toBe("too long");
    const drops = Array.from({ length: LIMIT + 1 }, () => Buffer.from("x"));
    expect(readAll(drops).failure).toBe("too long");
  });
});

describe("a frame that means harm", () => {
  test("costs as much byte by byte as at once", () => {
    const size = 20_000;
    const one = Buffer.from("x");
    const reader = new FrameReader(size);
    const sink = { frame() {} };
    const copied = countCopied(() => {
      for (let at = 0; at < size; at++) reader.feed(one, sink);
    });
    expect(reader.held()).toBe(size);
    expect(copied).toBeLessThan(size * 4);
  });

  test("an empty line counts as a value", () => {
    const reader = new FrameReader(LIMIT);
    reader.feed(Buffer.from("\n\r\n\n\n"), { frame() {} });
    expect(reader.values()).toBe(4);
  });

  test("is refused before it is read when it is nested too deep, in a list, in objects, and not for brackets in a text", () => {
    const deep = (levels: number) => `{"x":${"[".repeat(levels)}${"]".repeat(levels)}}`;
    const read = (text: string) => readAll([Buffer.from(`${text}\n`)], 1_000_000);
    expect(read(deep(FRAME_NESTING - 1)).failure).toBe("");
    expect(read(deep(FRAME_NESTING)).failure).toContain("nested");
    expect(read(deep(200_000)).failure).toContain("nested");
    expect(read(`${'{"x":'.repeat(100_000)}1${"}".repeat(100_000)}`).failure).toContain("nested");
    expect(read(JSON.stringify({ x: `\\"${"[{".repeat(500)}` })).failure).toBe("");
  });

  test("is refused before it is parsed when it has more values than a node with a thousand apps, of whatever kind it is", () => {
    const read = (values: unknown) => {
      const reader = new FrameReader(1_000_000, FRAME_VALUES);
      let count = 0;
      reader.feed(Buffer.from(`${JSON.stringify(values)}\n`), { frame: () => void count++ });
      return [count, reader.values()];
    };
    const app = { app_id: "a,[{", name: "a", status: "up", image: "a", cpu_percent: 1, mem_bytes: 1, restart_count: 0 };
    expect(read({ kind: "heartbeat", apps: Array.from({ length: 1_000 }, () => app) })).toEqual([1, 8_003]);
    expect(() => read({ kind: "nothing", x: Array.from({ length: 10_000 }, (_, no) => ({ [no]: 0 })) })).toThrow(
      "values",
    );
    expect(() => read({ x: Array.from({ length: FRAME_VALUES }, () => 0) })).toThrow("values");
  });

  test("says hello with few services, none of them with a name that nobody has", () => {
    const services = ["logs", "x".repeat(65), 3, "x".repeat(64), ...Array.from({ length: 100 }, String)];
    const hello = readNodeFrame({ kind: "hello", services });
    expect(hello).toEqual({ kind: "hello", services: ["logs", "x".repeat(64), ...Array.from({ length: 16 }, String)] });
  });
});

test("what is written is what is read, and kinds that nobody knows are passed over", () => {
  const refusal = { status: 429, code: "too_many_requests", message: "Wait.", params: { a: 1 }, retry_after_s: 3 };
  for (const frame of [
    { kind: "wake" },
    { kind: "refusal", id: 4, refusal },
    { kind: "refusal", id: null, refusal },
  ] as const)
    expect(readPanelFrame(JSON.parse(frameText(frame)))).toEqual(frame);
  expect(readPanelFrame({ kind: "answer", id: 1, answer: 5, more: 1 })).toEqual({ kind: "answer", id: 1, answer: 5 });
  expect(readNodeFrame({ kind: "heartbeat", id: 1, heartbeat: {} })).toEqual({
    kind: "heartbeat",
    id: 1,
    heartbeat: {},
  });
  for (const kind of ["stream", undefined, 3]) {
    expect(readNodeFrame({ kind, id: 1 })).toBeNull();
    expect(readPanelFrame({ kind, id: 1 })).toBeNull();
  }
  for (const id of [undefined, null, 1.5, "1", Number.MAX_VALUE])
    expect(() => readNodeFrame({ kind: "heartbeat", id, heartbeat: {} })).toThrow("number");
  for (const wrong of [undefined, "no", { status: 401 }, { code: "x" }])
    expect(() => readPanelFrame({ kind: "refusal", id: 1, refusal: wrong })).toThrow("refusal");
});
