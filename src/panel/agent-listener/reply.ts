import type { TLSSocket } from "node:tls";

const REASONS: Readonly<Record<number, string>> = { 200: "OK" };

const headText = (status: number, headers: Readonly<Record<string, string>>): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${REASONS[status] ?? "Refused"}\r\n${lines.join("")}\r\n`;
};

/** Writes a whole answer, and ends the connection after the last one. */
export function writeReply(
  socket: TLSSocket,
  status: number,
  body: object,
  { isLast, headers = {} }: { isLast: boolean; headers?: Readonly<Record<string, string>> },
): void {
  if (socket.destroyed) return;
  const text = JSON.stringify(body);
  const head = headText(status, {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(text)),
    "cache-control": "no-store",
    ...(isLast ? { connection: "close" } : {}),
    ...headers,
  });
  if (isLast) socket.end(head + text);
  else socket.write(head + text);
}

/** An answer that lasts. */
export interface ReplyStream {
  write(text: string): void;
  /** Bytes that the other side has not taken yet. */
  unread(): number;
  /** Ends the connection. */
  end(): void;
  onClose(listener: () => void): void;
}

/** Begins an answer that lasts, each write a chunk of its own. */
export function beginStream(socket: TLSSocket): ReplyStream {
  const headers = {
    "content-type": "application/x-ndjson",
    "cache-control": "no-store",
    "transfer-encoding": "chunked",
  };
  socket.write(headText(200, headers));
  return {
    write: (text) => void socket.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`),
    unread: () => socket.writableLength,
    end: () => void socket.destroy(),
    onClose: (listener) => void socket.once("close", listener),
  };
}
