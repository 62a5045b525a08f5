import type { TLSSocket } from "node:tls";

const REASONS: Readonly<Record<number, string>> = { 101: "Switching Protocols", 200: "OK" };

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

/** Answers that from here on another protocol is spoken. */
export function writeSwitch(socket: TLSSocket, protocol: string): void {
  if (!socket.destroyed) socket.write(headText(101, { connection: "Upgrade", upgrade: protocol }));
}
