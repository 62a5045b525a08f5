import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { ByteBuffer } from "../../lib/byte-buffer.ts";
import { OutgoingError, type OutgoingRequest } from "./contract.ts";
import type { Target } from "./target.ts";

/** What came back over one connection. */
export interface Exchange {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Kept connections, by address and certificate name: a name that moves gets a new one. */
export interface Connections {
  http: HttpAgent;
  https: HttpsAgent;
}

const KEPT_MS = 4_000;
const MAX_KEPT = 8;
const MAX_REPLY_BYTES = 64 * 1024;
/** A server has one thing to say before its reply, or a few. */
const MAX_ANNOUNCED = 20;
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME|TLS|SSL/;
const NOT_CONNECTED = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EHOSTDOWN|EACCES|EADDRNOTAVAIL|ENETDOWN)$/;

/** A pool that closes what has not been used for 4 s, before most servers would. */
export function createConnections(): Connections {
  const options = { keepAlive: true, maxFreeSockets: MAX_KEPT, timeout: KEPT_MS };
  return { http: new HttpAgent(options), https: new HttpsAgent(options) };
}

/** What went wrong with a connection, for people. */
export function toOutgoingError(thrown: unknown, isTls: boolean): OutgoingError {
  if (thrown instanceof OutgoingError) return thrown;
  const error: Error & { code?: string } = thrown instanceof Error ? thrown : new Error(String(thrown));
  const code = error.code ?? "";
  // The runtime says so of every connection that does not come about, also where no way leads there.
  const [, place] = /^connect ECONNREFUSED (\S+)$/.exec(error.message) ?? [];
  if (place !== undefined)
    return new OutgoingError("connect", `No connection to ${place}: nothing listens there, or nothing leads to it.`);
  if (NOT_CONNECTED.test(code)) return new OutgoingError("connect", `No connection: ${error.message}.`);
  if (code === "HPE_HEADER_OVERFLOW") return new OutgoingError("too_large", "The headers of the reply are too large.");
  if (isTls && CERTIFICATE.test(code)) return new OutgoingError("tls", `No secure connection: ${error.message}`);
  return new OutgoingError("reset", `The connection ended before the reply was complete: ${error.message}.`);
}

/** Reads the body up to the limit. Rejects with `too_large` beyond it, unless it may be cut. */
function readBody(reply: IncomingMessage, max: number, isCut: boolean): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const status = reply.statusCode ?? null;
  const bytes = new ByteBuffer();
  const text = () => bytes.view().toString("utf8");
  function stop(): void {
    if (isCut) resolve(text());
    else reject(new OutgoingError("too_large", `The reply is larger than ${max} bytes.`, status));
    reply.destroy();
  }
  reply.on("data", (part: Buffer) => {
    const room = max - bytes.length;
    bytes.append(part.subarray(0, room));
    if (part.length > room) stop();
  });
  reply.on("end", () => resolve(text()));
  reply.on("error", reject);
  reply.on("close", () => reject(new Error("closed")));
  return promise;
}

/** A kept connection that the other side had closed already: nothing was answered on it. */
class StaleConnection extends Error {}

/** How it travels. */
export interface Way {
  connections: Connections | null;
  ca: string | undefined;
  signal: AbortSignal;
  /** The body in the pieces that it is sent in; all at once where it is left out. */
  inPieces?: ((body: Uint8Array) => AsyncIterable<Uint8Array>) | undefined;
}

function describeRequest(target: Target, address: string, request: OutgoingRequest, body: Buffer, way: Way) {
  const { connections, ca } = way;
  return {
    method: request.method,
    host: address,
    port: target.port,
    path: target.path,
    headers: {
      "user-agent": "Orrery",
      ...request.headers,
      host: target.authority,
      "accept-encoding": "identity",
      "content-length": String(body.length),
    },
    agent: connections ? (target.isTls ? connections.https : connections.http) : false,
    ...(target.isTls && target.literal === null ? { servername: target.host } : {}),
    ...(ca === undefined ? {} : { ca }),
  };
}

async function sendPieces(outgoing: ClientRequest, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of pieces) {
    // What was refused before all of it came is not sent to its end.
    if (outgoing.destroyed) return;
    outgoing.write(piece);
  }
  outgoing.end();
}

/** Sends it and waits for the head of the reply. */
export async function openReply(
  target: Target,
  address: string,
  request: OutgoingRequest,
  way: Way,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const body = Buffer.from(request.body ?? "");
  const outgoing = (target.isTls ? httpsRequest : httpRequest)(describeRequest(target, address, request, body, way));
  way.signal.addEventListener("abort", () => outgoing.destroy(new Error("aborted")), { once: true });
  outgoing.on("response", resolve);
  outgoing.on("error", (error) => reject(outgoing.reusedSocket ? new StaleConnection() : error));
  let announced = 0;
  const onAnnounced = () => {
    announced += 1;
    if (announced > MAX_ANNOUNCED) outgoing.destroy(new Error("the other side announced a reply without end"));
  };
  outgoing.on("continue", onAnnounced);
  outgoing.on("information", onAnnounced);
  outgoing.on("upgrade", (_reply, socket) => {
    socket.destroy();
    reject(new Error("the other side changed the protocol"));
  });
  if (way.inPieces) sendPieces(outgoing, way.inPieces(body)).catch(reject);
  else outgoing.end(body);
  return promise;
}

async function attempt(target: Target, address: string, request: OutgoingRequest, way: Way): Promise<Exchange> {
  const reply = await openReply(target, address, request, way);
  const status = reply.statusCode ?? 0;
  if (status >= 300 && status < 400) {
    reply.destroy();
    throw new OutgoingError("redirect", `The reply is a redirect (${status}), which is not followed.`, status);
  }
  const body = await readBody(reply, request.maxReplyBytes ?? MAX_REPLY_BYTES, request.cutReply ?? false);
  const headers = Object.entries(reply.headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]);
  return { status, headers: Object.fromEntries(headers), body };
}

/**
 * Sends one request to `address`, which must have been vetted: no name is looked up here, while the certificate is checked
 * against the name. Ends the connection when the signal aborts. Throws OutgoingError.
 */
export async function exchange(target: Target, address: string, request: OutgoingRequest, way: Way): Promise<Exchange> {
  try {
    return await attempt(target, address, request, way);
  } catch (error) {
    const isStale = error instanceof StaleConnection && !way.signal.aborted;
    if (isStale) return exchange(target, address, request, { ...way, connections: null });
    throw toOutgoingError(error, target.isTls);
  }
}
