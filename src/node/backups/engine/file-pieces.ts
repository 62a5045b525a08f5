import { closeSync, openSync, readSync } from "node:fs";

const PIECE_BYTES = 256 * 1024;

/**
 * The first `most` bytes of a file, read on the calling thread: the runtime's own are as urgent as requests are. A piece is good until
 * the next one is asked for.
 */
export function* readFilePieces(path: string, most = Number.POSITIVE_INFINITY): Generator<Uint8Array> {
  const room = new Uint8Array(PIECE_BYTES);
  const file = openSync(path, "r");
  try {
    for (let at = 0; at < most; ) {
      const got = readSync(file, room, 0, Math.min(PIECE_BYTES, most - at), at);
      if (got === 0) return;
      at += got;
      yield room.subarray(0, got);
    }
  } finally {
    closeSync(file);
  }
}
