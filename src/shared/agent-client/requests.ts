import type { TLSSocket } from "node:tls";
import type { Clock } from "../../lib/clock.ts";
import { seconds } from "../../lib/duration.ts";
import { AGENT_PATHS, SESSION_PROTOCOL } from "../agent-protocol/index.ts";
import { collectReply } from "./collect-reply.ts";
import { late } from "./connection.ts";
import { type AgentEndpoint, hostHeader } from "./endpoint.ts";
import { AgentCallError } from "./failures.ts";
import { createReplyReader } from "./reply-reader.ts";
import { socketFailure } from "./socket-failure.ts";

/** Plain requests on a connection, one after another. Each throws `AgentCallError`; but for a refusal it is closed then. */
export interface Requests {
  isOpen(): boolean;
  /** Sends a body and gives the JSON of the answer. */
  post(path: string, body: object): Promise<unknown>;
  /** Asks for a session. From its answer on the socket is the caller's; gives the bytes that came with it. */
  beginSession(): Promise<Buffer>;
  close(): void;
}

const ANSWER_MS = seconds(30);

/** How a request ended: an answer to be read, or another protocol, whose first bytes may be here. */
type Heard = { read: () => unknown } | { rest: Buffer };

interface Asked {
  reply: ReturnType<typeof collectReply>;
  hasBytes: boolean;
  cancelTimer: () => void;
  resolve(heard: Heard): void;
  reject(error: AgentCallError): void;
}

/** Takes a fresh connection. */
export function createRequests(clock: Pick<Clock, "after">, socket: TLSSocket, endpoint: AgentEndpoint): Requests {
  let asked: Asked | null = null;
  let isOpen = true;

  function takeAsked(): Asked | null {
    const taken = asked;
    asked = null;
    taken?.cancelTimer();
    return taken;
  }

  function fail(error: AgentCallError): void {
    isOpen = false;
    socket.destroy();
    takeAsked()?.reject(error);
  }

  const reader = createReplyReader({
    head: (head) => asked?.reply.sink.onHead(head),
    body: (chunk) => asked?.reply.sink.onBody(chunk),
    end(isReusable) {
      const done = takeAsked();
      if (!isReusable) {
        isOpen = false;
        socket.destroy();
      }
      done?.resolve({ read: done.reply.read });
    },
    switched(rest) {
      isOpen = false;
      socket.off("data", onData).off("error", onError).off("close", onClose);
      takeAsked()?.resolve({ rest });
    },
  });

  const watch = () => clock.after(ANSWER_MS, () => fail(late(endpoint, "does not answer")));

  function onData(chunk: Uint8Array): void {
    try {
      if (!asked) throw new AgentCallError("garbled", "The panel spoke without being asked.");
      asked.hasBytes = true;
      asked.cancelTimer();
      asked.cancelTimer = watch();
      reader.feed(chunk);
    } catch (error) {
      fail(garbled(error));
    }
  }
  const onError = (error: unknown) => fail(socketFailure(error, endpoint));
  function onClose(): void {
    const hadBytes = asked?.hasBytes === true;
    const isCut = reader.close();
    const when = isCut || asked ? ` ${hadBytes ? "in the middle of its answer" : "without an answer"}` : "";
    fail(new AgentCallError(hadBytes ? "unreachable" : "dropped", `The panel closed the connection${when}.`));
  }
  socket.on("data", onData).on("error", onError).on("close", onClose);

  function ask(lines: readonly string[], body: string): Promise<Heard> {
    if (asked) throw new Error("one request at a time");
    return new Promise((resolve, reject) => {
      if (!isOpen) return reject(new AgentCallError("dropped", "The panel closed the connection."));
      asked = { reply: collectReply(), hasBytes: false, cancelTimer: watch(), resolve, reject };
      socket.write(`${[...lines, `host: ${hostHeader(endpoint)}`].join("\r\n")}\r\n\r\n${body}`);
    });
  }

  return {
    isOpen: () => isOpen,
    async post(path, input) {
      const body = JSON.stringify(input);
      const length = `content-length: ${Buffer.byteLength(body)}`;
      const heard = await ask([`POST ${path} HTTP/1.1`, "content-type: application/json", length], body);
      if ("read" in heard) return heard.read();
      socket.destroy();
      throw new AgentCallError("garbled", "The panel changed the protocol unasked.");
    },
    async beginSession() {
      const upgrade = ["connection: Upgrade", `upgrade: ${SESSION_PROTOCOL}`];
      const heard = await ask([`GET ${AGENT_PATHS.control} HTTP/1.1`, ...upgrade], "");
      if ("rest" in heard) return heard.rest;
      heard.read();
      throw new AgentCallError("garbled", "The panel answered the wish for a session with something else.");
    },
    close: () => fail(new AgentCallError("unreachable", "The connection to the panel was closed here.")),
  };
}

const garbled = (error: unknown): AgentCallError =>
  error instanceof AgentCallError
    ? error
    : new AgentCallError(
        "garbled",
        `The panel's answer cannot be read: ${error instanceof Error ? error.message : ""}.`,
      );
