/** One piece of a container's output. */
export interface OutputPiece {
  stream: "stdout" | "stderr";
  bytes: Uint8Array;
  /** Exactly what the engine sent as one; pieces of a terminal's output begin and end anywhere. */
  isFrame: boolean;
}

const HEADER_BYTES = 8;

const isHeader = (bytes: Uint8Array): boolean =>
  (bytes[0] ?? 9) <= 2 && bytes[1] === 0 && bytes[2] === 0 && bytes[3] === 0;

function join(left: Uint8Array, right: Uint8Array): Uint8Array {
  if (left.length === 0) return right;
  const both = new Uint8Array(left.length + right.length);
  both.set(left);
  both.set(right, left.length);
  return both;
}

/**
 * Takes Docker's multiplexed stream apart (8-byte header: stream number, three zeros, length as big-endian 32 bit).
 * A container with a terminal has no headers; its output is stdout as it comes.
 */
export async function* demux(source: AsyncIterable<Uint8Array>): AsyncIterable<OutputPiece> {
  let waiting: Uint8Array = new Uint8Array(0);
  let isPlain: boolean | null = null;
  for await (const chunk of source) {
    waiting = join(waiting, chunk);
    if (isPlain === null && waiting.length >= 4) isPlain = !isHeader(waiting);
    if (isPlain) {
      yield { stream: "stdout", bytes: waiting, isFrame: false };
      waiting = new Uint8Array(0);
      continue;
    }
    while (waiting.length >= HEADER_BYTES) {
      const length = new DataView(waiting.buffer, waiting.byteOffset).getUint32(4);
      if (waiting.length < HEADER_BYTES + length) break;
      const stream = waiting[0] === 2 ? "stderr" : "stdout";
      yield { stream, bytes: waiting.subarray(HEADER_BYTES, HEADER_BYTES + length), isFrame: true };
      waiting = waiting.subarray(HEADER_BYTES + length);
    }
  }
}
