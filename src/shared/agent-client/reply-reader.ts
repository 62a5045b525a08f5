/** The start of an answer. */
export interface ReplyHead {
  status: number;
  /** By lower-case name; the last one of a name counts. */
  headers: ReadonlyMap<string, string>;
}

/** Told as bytes arrive. */
export interface ReplySink {
  head(head: ReplyHead): void;
  body(chunk: Uint8Array): void;
  /** The answer is whole; false when the connection cannot carry another one. */
  end(isReusable: boolean): void;
  /** The answer was 101: no further byte is for this reader. `rest` came with it and is of the other protocol. */
  switched(rest: Buffer): void;
}

const MAX_HEAD = 16_384;
const MAX_CHUNK_LINE = 256;
const LINE_END = "\r\n";
const HEAD_END = "\r\n\r\n";
const NOTHING = Buffer.alloc(0);

type State =
  | { at: "head" }
  | { at: "length"; left: number }
  | { at: "chunk line" }
  | { at: "chunk"; left: number }
  | { at: "chunk end" }
  | { at: "trailer" }
  | { at: "until close" };

/**
 * Reads HTTP/1.1 answers from a stream of bytes, one after another. `feed` throws an Error for bytes that are no answer;
 * `close` tells the end of the stream and returns whether it came in the middle of an answer.
 */
export function createReplyReader(sink: ReplySink): { feed(bytes: Uint8Array): void; close(): boolean } {
  let rest: Buffer = NOTHING;
  let state: State = { at: "head" };
  let isReusable = true;

  function finish(): void {
    state = { at: "head" };
    sink.end(isReusable);
  }

  function takeLine(limit: number, end: string): string | null {
    const at = rest.indexOf(end);
    if (at > limit || (at < 0 && rest.length >= limit + end.length))
      throw new Error("a line of the answer is too long");
    if (at < 0) return null;
    const line = rest.toString("latin1", 0, at);
    rest = rest.subarray(at + end.length);
    return line;
  }

  function takeBytes(left: number): number {
    const part = rest.subarray(0, left);
    rest = rest.subarray(part.length);
    if (part.length > 0) sink.body(part);
    return left - part.length;
  }

  function readHead(): boolean {
    const text = takeLine(MAX_HEAD, HEAD_END);
    if (text === null) return false;
    const head = parseHead(text);
    if (head.status === 101) {
      const after = rest;
      rest = NOTHING;
      sink.switched(after);
      return false;
    }
    // 100 Continue and its like announce another answer.
    if (head.status < 200) return true;
    isReusable = !/\bclose\b/i.test(head.headers.get("connection") ?? "");
    sink.head(head);
    state = bodyOf(head);
    if (state.at === "until close") isReusable = false;
    if (state.at === "length" && state.left === 0) finish();
    return true;
  }

  /** One step; false when it needs more bytes. */
  function step(): boolean {
    switch (state.at) {
      case "head":
        return readHead();
      case "length":
      case "chunk": {
        const left = takeBytes(state.left);
        const { at } = state;
        state = { at, left };
        if (left > 0) return false;
        if (at === "length") finish();
        else state = { at: "chunk end" };
        return true;
      }
      case "chunk end": {
        if (takeLine(0, LINE_END) === null) return false;
        state = { at: "chunk line" };
        return true;
      }
      case "chunk line": {
        const line = takeLine(MAX_CHUNK_LINE, LINE_END);
        if (line === null) return false;
        const left = chunkSize(line);
        state = left === 0 ? { at: "trailer" } : { at: "chunk", left };
        return true;
      }
      case "trailer": {
        const line = takeLine(MAX_HEAD, LINE_END);
        if (line === "") finish();
        return line !== null;
      }
      case "until close":
        takeBytes(rest.length);
        return false;
    }
  }

  return {
    feed(bytes) {
      rest = rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([rest, bytes]);
      while (rest.length > 0 && step());
    },
    close() {
      if (state.at !== "until close") return state.at !== "head" || rest.length > 0;
      finish();
      return false;
    },
  };
}

function parseHead(text: string): ReplyHead {
  const [first = "", ...lines] = text.split(LINE_END);
  const status = /^HTTP\/1\.1 (\d{3})(?: |$)/.exec(first)?.[1];
  if (status === undefined) throw new Error("the answer is not HTTP/1.1");
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    if (colon <= 0) throw new Error("a header of the answer has no name");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status: Number(status), headers: new Map(pairs) };
}

function bodyOf({ status, headers }: ReplyHead): State {
  if (status === 204 || status === 304) return { at: "length", left: 0 };
  const coding = headers.get("transfer-encoding");
  if (coding !== undefined) {
    if (coding.toLowerCase() !== "chunked") throw new Error("the answer is coded in an unknown way");
    return { at: "chunk line" };
  }
  const length = headers.get("content-length");
  if (length === undefined) return { at: "until close" };
  if (!/^\d{1,15}$/.test(length)) throw new Error("the length of the answer is no number");
  return { at: "length", left: Number(length) };
}

function chunkSize(line: string): number {
  const digits = /^([0-9a-f]{1,8})\s*(?:;|$)/i.exec(line)?.[1];
  if (digits === undefined) throw new Error("a chunk of the answer has no length");
  return Number.parseInt(digits, 16);
}
