const NOTHING = Buffer.alloc(0);
const LEAST = 512;

/**
 * Bytes that come in pieces and leave from the front. Room doubles as it grows, so that a megabyte costs the same whether it
 * comes at once or byte by byte; empty, it holds nothing.
 */
export class ByteBuffer {
  #bytes: Buffer = NOTHING;
  #start = 0;
  #end = 0;

  get length(): number {
    return this.#end - this.#start;
  }

  append(piece: Uint8Array): void {
    if (piece.length === 0) return;
    if (this.#end + piece.length > this.#bytes.length) this.#grow(piece.length);
    this.#bytes.set(piece, this.#end);
    this.#end += piece.length;
  }

  /** All of it, until the next change. */
  view(): Buffer {
    return this.#bytes.subarray(this.#start, this.#end);
  }

  /** Lets the first `count` bytes go. */
  drop(count: number): void {
    this.#start = Math.min(this.#start + count, this.#end);
    if (this.#start === this.#end) this.clear();
  }

  /** Takes the first `count` bytes out; they are the caller's. */
  take(count: number): Buffer {
    const taken = Buffer.from(this.view().subarray(0, count));
    this.drop(count);
    return taken;
  }

  clear(): void {
    this.#bytes = NOTHING;
    this.#start = 0;
    this.#end = 0;
  }

  /** Moves what is there to the front, of larger room unless half of it was let go: either way it is seldom. */
  #grow(more: number): void {
    const kept = this.view();
    const needed = kept.length + more;
    const isRoomy = needed <= this.#bytes.length / 2;
    const room = isRoomy ? this.#bytes : Buffer.allocUnsafeSlow(Math.max(LEAST, needed, 2 * kept.length));
    if (isRoomy) this.#bytes.copyWithin(0, this.#start, this.#end);
    else room.set(kept, 0);
    this.#bytes = room;
    this.#start = 0;
    this.#end = kept.length;
  }
}
