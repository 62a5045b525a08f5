import type { TLSSocket } from "node:tls";
import type { TSchema } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import type { Static } from "elysia";
import { plainAddress } from "../../kernel/http/plain-address.ts";
import type { Clock } from "../../lib/clock.ts";
import { seconds } from "../../lib/duration.ts";
import {
  AGENT_PATHS,
  type HeartbeatInput,
  HeartbeatOutput,
  type RegisterInput,
  RegisterOutput,
  type RenewInput,
  RenewOutput,
} from "../agent-protocol/index.ts";
import { type ClientCredential, openSocket } from "./connection.ts";
import type { AgentEndpoint } from "./endpoint.ts";
import { AgentCallError } from "./failures.ts";
import { createRequests, type Requests } from "./requests.ts";
import { AgentSession, type SessionEvents } from "./session.ts";

/** Whom a client trusts and what it shows. */
export interface AgentTrust {
  ca: string;
  credential: ClientCredential | null;
}

/** The calls of the agent protocol; each throws `AgentCallError`. One at a time. */
export interface AgentClient {
  register(input: RegisterInput): Promise<RegisterOutput>;
  renew(input: RenewInput): Promise<RenewOutput>;
  /** Goes over the session, which begins with the first one; as a plain call to a panel that has no sessions. */
  heartbeat(input: HeartbeatInput): Promise<HeartbeatOutput>;
  /** Another certificate or bundle from the next call on. */
  use(trust: AgentTrust): void;
  /** The address at which the panel proved itself last; null before that. */
  reached(): string | null;
  close(): void;
}

/** What a client does besides; all of it may be left out. */
export interface ClientOptions extends Partial<SessionEvents> {
  /** For a handshake, milliseconds. */
  connectMs?: number;
}

/** As long as the panel allows: when a whole fleet comes back at once, all of it waits for the last. */
const CONNECT_MS = seconds(60);
/** What a panel answers that knows no sessions. */
const NO_SESSIONS = new Set([404, 426]);

/** What heartbeats go over. */
interface Line {
  isOpen(): boolean;
  heartbeat(input: HeartbeatInput): Promise<unknown>;
  close(): void;
}

/** A reader of answers of one shape; fields it does not name are let through: a panel may be newer than its node. */
function reader<S extends TSchema>(shape: S): (body: unknown) => Static<S> {
  const compiled = TypeCompiler.Compile(shape);
  return (body) => {
    if (compiled.Check(body)) return body;
    const where = compiled.Errors(body).First()?.path.replace(/^\//, "") || "the whole";
    throw new AgentCallError("garbled", `The panel's answer is not one of the protocol: ${where} is wrong.`);
  };
}
const readRegister = reader(RegisterOutput);
const readRenew = reader(RenewOutput);
const readHeartbeat = reader(HeartbeatOutput);

/** A client of one panel; it connects when it is first called and keeps the connection for heartbeats. */
export function createAgentClient(
  clock: Pick<Clock, "after" | "every">,
  endpoint: AgentEndpoint,
  given: AgentTrust,
  { connectMs = CONNECT_MS, onWake = () => {}, onEnd = () => {}, services = {} }: ClientOptions = {},
): AgentClient {
  let trust = given;
  let line: Line | null = null;
  /** What may become the line. */
  let asking: Requests | null = null;
  let isClosed = false;
  let reached: string | null = null;

  /** Connects, and throws when this client was closed, or given another certificate, meanwhile. */
  async function open<T extends { close(): void }>(begin: (socket: TLSSocket) => T | Promise<T>): Promise<T> {
    const used = trust;
    const assertWanted = (close: () => void) => {
      if (!isClosed && used === trust) return;
      close();
      throw new AgentCallError("unreachable", "The connection to the panel was closed here.");
    };
    const socket = await openSocket(clock, { endpoint, ...used, connectMs });
    reached = plainAddress(socket.remoteAddress ?? "");
    // Nothing is said on it then: a session would take the place of one that was begun since.
    assertWanted(() => socket.destroy());
    const made = await begin(socket);
    assertWanted(made.close.bind(made));
    return made;
  }

  const requests = (socket: TLSSocket) => createRequests(clock, socket, endpoint);

  async function openLine(socket: TLSSocket): Promise<Line> {
    const plain = requests(socket);
    asking = plain;
    try {
      const ahead = await plain.beginSession();
      return new AgentSession(clock, { socket, endpoint, ahead }, { onWake, onEnd, services });
    } catch (error) {
      const status = error instanceof AgentCallError ? error.refusal?.status : undefined;
      if (status === undefined || !NO_SESSIONS.has(status)) {
        plain.close();
        throw error;
      }
    } finally {
      asking = null;
    }
    // For as long as this connection lasts: the next one may go to a newer panel.
    return plainLine(plain.isOpen() ? plain : await open(requests));
  }

  /** Once in hours or weeks, and with a certificate that may be another one afterwards: on a connection of its own. */
  async function once(path: string, input: object): Promise<unknown> {
    const plain = await open(requests);
    try {
      return await plain.post(path, input);
    } finally {
      plain.close();
    }
  }

  function hangUp(): void {
    line?.close();
    asking?.close();
    line = null;
    asking = null;
  }

  return {
    register: async (input) => readRegister(await once(AGENT_PATHS.register, input)),
    renew: async (input) => readRenew(await once(AGENT_PATHS.renew, input)),
    async heartbeat(input) {
      if (!line?.isOpen()) line = await open(openLine);
      return readHeartbeat(await line.heartbeat(input));
    },
    use(next) {
      trust = next;
      hangUp();
    },
    reached: () => reached,
    close() {
      isClosed = true;
      hangUp();
    },
  };
}

const plainLine = (plain: Requests): Line => ({
  isOpen: plain.isOpen,
  heartbeat: (input) => plain.post(AGENT_PATHS.heartbeat, input),
  close: plain.close,
});
