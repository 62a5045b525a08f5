/** Before each line: how many bytes it has, then their checksum. */
const HEAD_BYTES = 8;
/** More is no line of ours: what stands there has been damaged. */
const MAX_LINE_BYTES = 131_072;

/** A line as it stands on disk. */
export function encodeFrame(line: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(HEAD_BYTES + line.length);
  frame.writeUInt32LE(line.length, 0);
  frame.writeUInt32LE(Bun.hash.crc32(line), 4);
  frame.set(line, HEAD_BYTES);
  return frame;
}

/** What begins at `start`: a line with the place after it, nothing yet (`part`), or what nobody wrote like that (`damaged`). */
export type Frame = { line: Buffer; end: number } | "part" | "damaged";

/** Reads the line that begins at `start`; it shares the memory of `bytes`. */
export function decodeFrame(bytes: Buffer, start: number): Frame {
  if (bytes.length - start < HEAD_BYTES) return "part";
  const length = bytes.readUInt32LE(start);
  if (length === 0 || length > MAX_LINE_BYTES) return "damaged";
  const end = start + HEAD_BYTES + length;
  if (end > bytes.length) return "part";
  const line = bytes.subarray(start + HEAD_BYTES, end);
  return Bun.hash.crc32(line) === bytes.readUInt32LE(start + 4) ? { line, end } : "damaged";
}

/** Where the last whole line ends, and how many there are up to it. */
export function measureFrames(bytes: Buffer): { lines: number; end: number } {
  let lines = 0;
  let end = 0;
  for (;;) {
    const frame = decodeFrame(bytes, end);
    if (typeof frame === "string") return { lines, end };
    lines += 1;
    end = frame.end;
  }
}
