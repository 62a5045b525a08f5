import { isRecord, parseJson } from "../../lib/json.ts";

/** Bytes that are no frames; the connection is of no use then. */
export class FrameError extends Error {}

/** A frame that is longer than it may be. */
export class FrameTooLong extends FrameError {}

/** Takes frames as they become whole. */
export interface FrameSink {
  frame(frame: Readonly<Record<string, unknown>>): void;
}

const LINE_END = 0x0a;
const NONE: readonly Uint8Array[] = [];

/**
 * Cuts the bytes of a session into frames, each a line of JSON. An empty line only says that the other side is there.
 * One instance for each of tens of thousands of connections, so it holds nothing between frames.
 */
export class FrameReader {
  /** Most bytes of a frame, without its end. */
  readonly #limit: number;
  #parts: readonly Uint8Array[] = NONE;
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** True between the first and the last byte of a frame. */
  isWithin(): boolean {
    return this.#size > 0;
  }

  /** Hands over the frames that end in `bytes`. Throws `FrameError`, and whatever `sink` throws. */
  feed(bytes: Buffer, sink: FrameSink): void {
    let from = 0;
    for (let end = bytes.indexOf(LINE_END); end >= 0; end = bytes.indexOf(LINE_END, from)) {
      const text = this.#line(bytes, from, end);
      from = end + 1;
      if (text === "" || text === "\r") continue;
      const frame = parseJson(text);
      if (!isRecord(frame)) throw new FrameError("a line of the session is no JSON object");
      sink.frame(frame);
    }
    if (from < bytes.length) this.#keep(bytes, from);
  }

  /** The line that ends at `end`, with what came of it before. */
  #line(bytes: Buffer, from: number, end: number): string {
    if (this.#size + end - from > this.#limit) throw this.#tooLong();
    if (this.#size === 0) return bytes.toString("utf8", from, end);
    const whole = Buffer.concat([...this.#parts, bytes.subarray(from, end)]);
    this.#parts = NONE;
    this.#size = 0;
    return whole.toString("utf8");
  }

  #keep(bytes: Buffer, from: number): void {
    this.#size += bytes.length - from;
    if (this.#size > this.#limit) throw this.#tooLong();
    // A copy: the rest of what came is let go.
    this.#parts = [...this.#parts, Buffer.from(bytes.subarray(from))];
  }

  #tooLong(): FrameTooLong {
    return new FrameTooLong(`a frame is longer than the ${this.#limit} bytes that it may have`);
  }
}
