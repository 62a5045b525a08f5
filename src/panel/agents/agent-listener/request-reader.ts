import { ByteBuffer } from "../../../lib/byte-buffer.ts";

/** A request as far as the agent port looks at it. */
export interface AgentRequest {
  method: string;
  /** Without a query. */
  path: string;
  contentType: string;
  /** The other protocol that the connection is to go on with; empty for none. */
  upgrade: string;
  /** Null when it was more than allowed; then the rest of it is still to come. */
  body: Buffer | null;
  /** False when the other side wants no further answer on this connection. */
  keepsOpen: boolean;
}

/** What a reader asks and tells. */
export interface RequestSink {
  /** A request begins; gives how many bytes its body may have. */
  begin(path: string): number;
  /** The other side waits for a word before it sends the body. */
  proceed(): void;
  request(request: AgentRequest): void;
}

const MAX_HEAD = 8_192;
/** What may arrive while a request is being answered. */
const MAX_AHEAD = 65_536;
const MAX_CHUNK_LINE = 256;
const HEAD_END = "\r\n\r\n";
const LINE_END = "\r\n";

type Head = Omit<AgentRequest, "body"> & {
  length: number;
  isChunked: boolean;
  isExpecting: boolean;
  isUpgrading: boolean;
};

/**
 * Reads HTTP/1.1 requests from a stream of bytes, the next one only after `next` was called. `feed` throws an Error for
 * bytes that are no request; the connection is of no use then.
 */
export class RequestReader {
  readonly #sink: RequestSink;
  readonly #rest = new ByteBuffer();
  #head: Head | null = null;
  #limit = 0;
  /** What came of a chunked body. */
  readonly #body = new ByteBuffer();
  /** How far the end of a head was looked for. */
  #looked = 0;
  #isWaiting = false;

  constructor(sink: RequestSink) {
    this.#sink = sink;
  }

  feed(bytes: Buffer): void {
    this.#rest.append(bytes);
    if (this.#isWaiting && this.#rest.length > MAX_AHEAD) throw new Error("too much comes ahead of its turn");
    this.#run();
  }

  /** Bytes of a request that is not whole yet, or waits. */
  held(): number {
    return this.#rest.length + this.#body.length;
  }

  /** The last request was answered: the next one may come. */
  next(): void {
    this.#isWaiting = false;
    this.#run();
  }

  /** What came after the last request, which is none: the connection goes on with another protocol. */
  takeRest(): Buffer {
    return this.#rest.take(this.#rest.length);
  }

  #run(): void {
    while (!this.#isWaiting && this.#rest.length > 0) {
      if (!this.#head && !this.#begin()) return;
      if (!this.#readBody()) return;
    }
  }

  /** Reads a head; false when it is not whole yet. */
  #begin(): boolean {
    const rest = this.#rest.view();
    const end = rest.indexOf(HEAD_END, this.#looked);
    if (end > MAX_HEAD || (end < 0 && rest.length > MAX_HEAD)) throw new Error("the head is too long");
    this.#looked = end < 0 ? Math.max(0, rest.length - HEAD_END.length + 1) : 0;
    if (end < 0) return false;
    const head = parseHead(rest.toString("latin1", 0, end));
    this.#rest.drop(end + HEAD_END.length);
    this.#head = head;
    this.#limit = this.#sink.begin(head.path);
    if (head.isExpecting && head.length <= this.#limit) this.#sink.proceed();
    return true;
  }

  /** Reads the body; false when it is not whole yet. */
  #readBody(): boolean {
    const head = this.#head;
    if (!head) return false;
    if (head.isChunked) return this.#readChunks();
    if (head.length > this.#limit) return this.#finish(null);
    if (this.#rest.length < head.length) return false;
    return this.#finish(this.#rest.take(head.length));
  }

  #readChunks(): boolean {
    while (true) {
      const rest = this.#rest.view();
      const end = rest.indexOf(LINE_END);
      if (end > MAX_CHUNK_LINE || (end < 0 && rest.length > MAX_CHUNK_LINE)) throw new Error("a chunk has no end");
      if (end < 0) return false;
      const digits = /^([0-9a-f]{1,8})\s*(?:;|$)/i.exec(rest.toString("latin1", 0, end))?.[1];
      if (digits === undefined) throw new Error("a chunk has no length");
      const size = Number.parseInt(digits, 16);
      if (this.#body.length + size > this.#limit) return this.#finish(null);
      const from = end + LINE_END.length;
      // The last chunk is empty; trailers are not taken.
      if (rest.length < from + size + LINE_END.length) return false;
      if (rest.toString("latin1", from + size, from + size + 2) !== LINE_END)
        throw new Error("a chunk is longer than it says");
      this.#body.append(rest.subarray(from, from + size));
      this.#rest.drop(from + size + LINE_END.length);
      if (size === 0) return this.#finish(this.#body.take(this.#body.length));
    }
  }

  #finish(body: Buffer | null): true {
    const head = this.#head;
    this.#head = null;
    this.#body.clear();
    this.#isWaiting = true;
    if (head) {
      const { method, path, contentType, upgrade, keepsOpen } = head;
      this.#sink.request({ method, path, contentType, upgrade, body, keepsOpen });
    }
    return true;
  }
}

function parseHead(text: string): Head {
  const [first = "", ...lines] = text.split(LINE_END);
  const [, method = "", target = "", version = ""] = /^([A-Z]{1,16}) (\S+) HTTP\/1\.([01])$/.exec(first) ?? [];
  if (method === "") throw new Error("this is no HTTP/1.1");
  const head: Head = {
    ...{ method, path: target.split("?", 1)[0] ?? "", contentType: "", upgrade: "", keepsOpen: version === "1" },
    ...{ length: 0, isChunked: false, isExpecting: false, isUpgrading: false },
  };
  let hasLength = false;
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon <= 0) throw new Error("a header has no name");
    const value = line.slice(colon + 1).trim();
    switch (line.slice(0, colon).toLowerCase()) {
      case "content-type":
        head.contentType = value;
        break;
      case "content-length":
        if (hasLength || !/^\d{1,15}$/.test(value)) throw new Error("the length is no number");
        hasLength = true;
        head.length = Number(value);
        break;
      case "transfer-encoding":
        if (value.toLowerCase() !== "chunked") throw new Error("the body is coded in an unknown way");
        head.isChunked = true;
        break;
      case "upgrade":
        head.upgrade = value;
        break;
      case "connection":
        if (/\bclose\b/i.test(value)) head.keepsOpen = false;
        if (/\bupgrade\b/i.test(value)) head.isUpgrading = true;
        break;
      case "expect":
        head.isExpecting = value.toLowerCase() === "100-continue";
        break;
    }
  }
  if (hasLength && head.isChunked) throw new Error("the body has two lengths");
  if (!head.isUpgrading) head.upgrade = "";
  return head;
}
