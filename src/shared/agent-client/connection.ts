import { connect as connectTls, type TLSSocket } from "node:tls";
import type { Clock } from "../../lib/clock.ts";
import { type AgentEndpoint, agentUrl, hostHeader, serverName } from "./endpoint.ts";
import { AgentCallError } from "./failures.ts";
import { createReplyReader, type ReplyHead } from "./reply-reader.ts";
import { socketFailure } from "./socket-failure.ts";

/** What a node shows: its certificate with the one that signed it, and the key, both PEM. */
export interface ClientCredential {
  certificate: string;
  key: string;
}

/** Whom a connection goes to, whom it trusts there and what it shows. */
export interface ConnectionOptions {
  endpoint: AgentEndpoint;
  /** Roots, PEM. Only they are trusted; the names in the panel's certificate are not looked at. */
  ca: string;
  credential: ClientCredential | null;
  /** For the handshake, milliseconds. */
  connectMs: number;
}

/** One request. */
export interface Exchange {
  path: string;
  body: string;
  /** Most milliseconds without a byte. */
  idleMs: number;
  onHead(head: ReplyHead): void;
  onBody(chunk: Uint8Array): void;
}

/** One TLS connection that carries one request after another. */
export interface AgentConnection {
  isOpen(): boolean;
  /** How many answers it has carried. */
  answered(): number;
  /** Resolves when the answer is whole. Throws `AgentCallError`; then the connection is closed. */
  exchange(exchange: Exchange): Promise<void>;
  close(): void;
}

interface Open {
  exchange: Exchange;
  hasBytes: boolean;
  cancelTimer: () => void;
  resolve(): void;
  reject(error: AgentCallError): void;
}

/**
 * Connects with TLS 1.3. The names in the panel's certificate do not count: the authority is the panel's own, it signs
 * one server, and a node's certificate cannot stand for a server. Throws `AgentCallError`.
 */
export function openConnection(clock: Pick<Clock, "after">, options: ConnectionOptions): Promise<AgentConnection> {
  const { endpoint, ca, credential, connectMs } = options;
  return new Promise((resolve, reject) => {
    const socket = connectTls({
      host: endpoint.host,
      port: endpoint.port,
      ca,
      ...(credential ? { cert: credential.certificate, key: credential.key } : {}),
      ...serverName(endpoint),
      minVersion: "TLSv1.3",
      checkServerIdentity: () => undefined,
    });
    const cancel = clock.after(connectMs, () => give(late(endpoint, "does not finish the handshake")));
    const give = (error: AgentCallError) => {
      cancel();
      socket.destroy();
      reject(error);
    };
    const onError = (error: unknown) => give(socketFailure(error, endpoint));
    const onClose = () => give(new AgentCallError("dropped", `${agentUrl(endpoint)} closed the connection at once.`));
    socket.once("error", onError);
    socket.once("close", onClose);
    socket.once("secureConnect", () => {
      cancel();
      socket.off("error", onError);
      socket.off("close", onClose);
      resolve(carryRequests(clock, socket, endpoint));
    });
  });
}

function late(endpoint: AgentEndpoint, what: string): AgentCallError {
  return new AgentCallError("unreachable", `The panel at ${agentUrl(endpoint)} ${what}.`);
}

function carryRequests(clock: Pick<Clock, "after">, socket: TLSSocket, endpoint: AgentEndpoint): AgentConnection {
  let open: Open | null = null;
  let isOpen = true;
  let answered = 0;
  const host = hostHeader(endpoint);

  function end(error: AgentCallError): void {
    isOpen = false;
    socket.destroy();
    const ended = open;
    open = null;
    ended?.cancelTimer();
    ended?.reject(error);
  }

  const reader = createReplyReader({
    head: (head) => open?.exchange.onHead(head),
    body: (chunk) => open?.exchange.onBody(chunk),
    end(isReusable) {
      const done = open;
      open = null;
      answered += 1;
      done?.cancelTimer();
      if (!isReusable) {
        isOpen = false;
        socket.destroy();
      }
      done?.resolve();
    },
  });

  const watch = (idleMs: number) => clock.after(idleMs, () => end(late(endpoint, "does not answer")));

  socket.on("data", (chunk: Uint8Array) => {
    if (!open) return end(new AgentCallError("garbled", "The panel spoke without being asked."));
    open.hasBytes = true;
    open.cancelTimer();
    open.cancelTimer = watch(open.exchange.idleMs);
    try {
      reader.feed(chunk);
    } catch (error) {
      end(garbled(error));
    }
  });
  socket.on("error", (error) => end(socketFailure(error, endpoint)));
  socket.on("close", () => {
    const hadBytes = open?.hasBytes === true;
    const isCut = reader.close();
    if (!isCut && hadBytes && !open) return end(new AgentCallError("dropped", "The panel closed the connection."));
    const when = hadBytes ? "in the middle of its answer" : "without an answer";
    end(new AgentCallError(hadBytes ? "unreachable" : "dropped", `The panel closed the connection ${when}.`));
  });

  return {
    isOpen: () => isOpen,
    answered: () => answered,
    exchange(exchange) {
      if (open) throw new Error("one request at a time");
      return new Promise((resolve, reject) => {
        if (!isOpen) return reject(new AgentCallError("dropped", "The panel closed the connection."));
        open = { exchange, hasBytes: false, cancelTimer: watch(exchange.idleMs), resolve, reject };
        socket.write(requestText(host, exchange));
      });
    },
    close: () => end(new AgentCallError("unreachable", "The connection to the panel was closed here.")),
  };
}

const garbled = (error: unknown): AgentCallError =>
  error instanceof AgentCallError
    ? error
    : new AgentCallError(
        "garbled",
        `The panel's answer cannot be read: ${error instanceof Error ? error.message : ""}.`,
      );

function requestText(host: string, { path, body }: Exchange): string {
  const length = Buffer.byteLength(body);
  return `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`;
}
