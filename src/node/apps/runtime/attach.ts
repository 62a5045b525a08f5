import { connect, type Socket } from "node:net";
import { isRecord, parseJson } from "../../../lib/json.ts";
import { EngineError } from "./engine-wire.ts";

/** A conversation with something that runs in a container: bytes go both ways until either side ends it. */
export interface Attachment {
  /** What it writes. Nothing is fetched from the engine before it is asked for, so a reader that pauses costs no memory. */
  readonly output: AsyncIterable<Uint8Array>;
  /** Resolves when the engine has taken the bytes, or when the conversation is over. */
  write(bytes: Uint8Array): Promise<void>;
  close(): void;
}

/** Asks the engine for a conversation: `/exec/…/start`. Throws EngineError. */
export type Attach = (path: string, body: unknown, signal: AbortSignal) => Promise<Attachment>;

const HEAD_LIMIT = 16_384;
const HEAD_END = "\r\n\r\n";

/** The engine's words for a refusal; its status where it has none. */
function refusalOf(status: number, body: string): EngineError {
  const answer = parseJson(body.slice(Math.max(0, body.indexOf("{"))));
  const message = isRecord(answer) ? answer["message"] : null;
  return new EngineError(status, typeof message === "string" ? message : `the engine answered ${status}`);
}

/**
 * Conversations with the engine on `socketPath`; `version` is the API version such as `v1.41`. Each is a request whose connection
 * carries bare bytes once it is answered with 101. HTTP clients read ahead of whoever listens, so it has a connection of its own.
 */
export const attachTo =
  (socketPath: string, version: string): Attach =>
  (path, body, signal) =>
    converse(socketPath, { path: `/${version}${path}`, body, signal });

interface Ask {
  path: string;
  body: unknown;
  signal: AbortSignal;
}

async function converse(socketPath: string, { path, body, signal }: Ask): Promise<Attachment> {
  const socket = connect({ path: socketPath });
  const stop = () => void socket.destroy();
  signal.addEventListener("abort", stop, { once: true });
  socket.once("close", () => signal.removeEventListener("abort", stop));
  // It is told to whoever reads or writes; alone it would end the program.
  socket.on("error", () => {});
  if (signal.aborted) stop();
  const json = JSON.stringify(body);
  socket.write(
    [
      `POST ${path} HTTP/1.1`,
      "Host: docker",
      "Connection: Upgrade",
      "Upgrade: tcp",
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(json)}`,
      "",
      json,
    ].join("\r\n"),
  );
  const pieces = socket[Symbol.asyncIterator]();
  const first = await readHead(pieces, () => socket.destroy());
  return { output: readRest(first, pieces), write: (bytes) => write(socket, bytes), close: stop };
}

/** Reads up to the end of the answer's head and gives what came behind it. Throws EngineError for anything but 101. */
async function readHead(pieces: AsyncIterator<Uint8Array>, giveUp: () => void): Promise<Uint8Array> {
  let text = "";
  try {
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
      text += Buffer.from(next.value).toString("latin1");
      const end = text.indexOf(HEAD_END);
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
      if (end !== -1 && status === 101) return Buffer.from(text.slice(end + HEAD_END.length), "latin1");
      // A refusal ends with its sentence; the connection stays open behind it.
      if (end !== -1 && text.trimEnd().endsWith("}")) throw refusalOf(status, text.slice(end));
      if (text.length > HEAD_LIMIT) break;
    }
  } catch (error) {
    giveUp();
    throw error instanceof EngineError ? error : new EngineError(0, error instanceof Error ? error.message : "");
  }
  giveUp();
  throw new EngineError(0, "the engine ended the conversation before it began");
}

async function* readRest(first: Uint8Array, pieces: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (first.byteLength > 0) yield first;
  try {
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) yield next.value;
  } catch {
    // A connection that breaks is the end of the conversation, as one that ends.
  }
}

const write = (socket: Socket, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    if (!socket.writable || socket.write(bytes)) return resolve();
    const done = () => {
      socket.off("drain", done);
      socket.off("close", done);
      resolve();
    };
    socket.once("drain", done);
    socket.once("close", done);
  });
