import { ByteBuffer } from "../../lib/byte-buffer.ts";
import { isRecord, type JsonShape, parseJson, shapeOf } from "../../lib/json.ts";

/** Bytes that are no frames; the connection is of no use then. */
export class FrameError extends Error {}

/** A frame that is longer than it may be. */
export class FrameTooLong extends FrameError {}

/** Takes frames as they become whole. */
export interface FrameSink {
  /** `bytes` is what it took on its way, `values` how many values of JSON it has at most. */
  frame(frame: Readonly<Record<string, unknown>>, bytes: number, values: number): void;
}

/** Deeper than anything that either side says; what walks deeper JSON ends in a stack overflow. */
export const FRAME_NESTING = 96;
/**
 * More than a node with a thousand apps says. Values cost time, whatever they mean: a megabyte of small objects takes a tenth of a
 * second.
 */
export const FRAME_VALUES = 20_000;
const LINE_END = 0x0a;

/** What is wrong with the shape of JSON that goes to the panel; null when it may be parsed. */
export function shapeFault({ nesting, values }: JsonShape, maxValues = FRAME_VALUES): string | null {
  if (nesting > FRAME_NESTING) return `is nested deeper than ${FRAME_NESTING} levels`;
  return values > maxValues ? `has more than ${maxValues} values` : null;
}

/**
 * Cuts the bytes of a session into frames, each a line of JSON. An empty line only says that the other side is there.
 * One instance for each of tens of thousands of connections, so it holds nothing between frames.
 */
export class FrameReader {
  /** Most bytes of a frame, without its end. */
  readonly #limit: number;
  readonly #maxValues: number;
  #values = 0;
  /** The beginning of a frame; null between frames. */
  #begun: ByteBuffer | null = null;

  constructor(limit: number, maxValues = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
    this.#maxValues = maxValues;
  }

  /** Values of JSON that it has come across in all; an empty line takes about as long as one. */
  values(): number {
    return this.#values;
  }

  /** True between the first and the last byte of a frame. */
  isWithin(): boolean {
    return this.#begun !== null;
  }

  /** Bytes of a frame that is not whole yet. */
  held(): number {
    return this.#begun?.length ?? 0;
  }

  /** Hands over the frames that end in `bytes`. Throws `FrameError`, and whatever `sink` throws. */
  feed(bytes: Buffer, sink: FrameSink): void {
    let from = 0;
    for (let end = bytes.indexOf(LINE_END); end >= 0; end = bytes.indexOf(LINE_END, from)) {
      if (end === from && this.#begun === null) {
        from += 1;
        this.#values += 1;
        continue;
      }
      const size = this.held() + end - from;
      const text = this.#line(bytes, from, end);
      from = end + 1;
      if (text === "" || text === "\r") {
        this.#values += 1;
        continue;
      }
      const shape = shapeOf(text);
      this.#values += Math.min(shape.values, this.#maxValues);
      const fault = shapeFault(shape, this.#maxValues);
      if (fault) throw new FrameError(`a frame ${fault}`);
      const frame = parseJson(text);
      if (!isRecord(frame)) throw new FrameError("a line of the session is no JSON object");
      sink.frame(frame, size, shape.values);
    }
    if (from < bytes.length) this.#keep(bytes, from);
  }

  /** The line that ends at `end`, with what came of it before. */
  #line(bytes: Buffer, from: number, end: number): string {
    if (this.held() + end - from > this.#limit) throw this.#tooLong();
    if (!this.#begun) return bytes.toString("utf8", from, end);
    this.#begun.append(bytes.subarray(from, end));
    const text = this.#begun.view().toString("utf8");
    this.#begun = null;
    return text;
  }

  #keep(bytes: Buffer, from: number): void {
    if (this.held() + bytes.length - from > this.#limit) throw this.#tooLong();
    this.#begun ??= new ByteBuffer();
    this.#begun.append(bytes.subarray(from));
  }

  #tooLong(): FrameTooLong {
    return new FrameTooLong(`a frame is longer than the ${this.#limit} bytes that it may have`);
  }
}
