import { S3Problem } from "./problem.ts";

/** Bytes that are read by lines and by lengths. */
export interface Pieces {
  /** The next line without its end. Throws IncompleteBody where it is longer than `most`, or never ends. */
  line(most: number): Promise<string>;
  /** The next bytes, as they come. */
  take(length: number): AsyncGenerator<Uint8Array>;
}

/** Reads a source by lines and by lengths, without holding more than one piece of it. */
export function createPieces(source: AsyncIterable<Uint8Array>): Pieces {
  const iterator = source[Symbol.asyncIterator]();
  let held: Uint8Array = new Uint8Array();

  async function more(): Promise<void> {
    const next = await iterator.next();
    if (next.done === true) throw new S3Problem("IncompleteBody");
    held = held.length === 0 ? next.value : Buffer.concat([held, next.value]);
  }

  return {
    async line(most) {
      for (;;) {
        const at = held.indexOf(0x0a);
        if (at > most + 1 || (at === -1 && held.length > most + 1)) throw new S3Problem("IncompleteBody");
        if (at === -1) {
          await more();
          continue;
        }
        const line = Buffer.from(held.subarray(0, at)).toString("latin1").replace(/\r$/, "");
        held = held.subarray(at + 1);
        return line;
      }
    },
    async *take(length) {
      let left = length;
      while (left > 0) {
        if (held.length === 0) await more();
        const piece = held.subarray(0, left);
        held = held.subarray(piece.length);
        left -= piece.length;
        yield piece;
      }
    },
  };
}
