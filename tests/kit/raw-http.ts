import { connect } from "node:net";

/** An answer as it came over the wire; status 0 when the connection was closed without one. */
export interface RawAnswer {
  status: number;
  /** Names in small letters. */
  head: string;
  body: string;
}

const NONE: RawAnswer = { status: 0, head: "", body: "" };

/** The answer in these bytes; null while it is not whole. */
function readAnswer(bytes: Buffer, isHead: boolean): RawAnswer | null {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const head = bytes.toString("latin1", 0, end).toLowerCase();
  // That is a word in between.
  if (head.startsWith("http/1.1 100")) return readAnswer(bytes.subarray(end + 4), isHead);
  const status = Number(/^http\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0);
  const length = isHead
    ? 0
    : Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? (head.includes("chunked") ? Infinity : 0));
  const isWhole = bytes.length >= end + 4 + length || bytes.includes("\r\n0\r\n\r\n", end);
  return isWhole ? { status, head, body: bytes.subarray(end + 4, end + 4 + length).toString() } : null;
}

/** Sends bytes to a port of this machine as they are, and gives the first answer. No client would send such requests. */
export function sendRaw(port: number, request: string | Buffer): Promise<RawAnswer> {
  const bytes = typeof request === "string" ? Buffer.from(request, "latin1") : request;
  return new Promise((resolve) => {
    let got: Buffer = Buffer.alloc(0);
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    const finish = (answer: RawAnswer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.on("data", (part: Buffer) => {
      got = Buffer.concat([got, part]);
      const answer = readAnswer(got, bytes.toString("latin1", 0, 5) === "HEAD ");
      if (answer) finish(answer);
    });
    socket.on("error", () => finish(NONE));
    socket.on("close", () => finish(NONE));
  });
}
