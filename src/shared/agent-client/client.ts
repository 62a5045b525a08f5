import type { TSchema } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import type { Static } from "elysia";
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
import { collectReply } from "./collect-reply.ts";
import { type AgentConnection, type ClientCredential, openConnection } from "./connection.ts";
import type { AgentEndpoint } from "./endpoint.ts";
import { AgentCallError } from "./failures.ts";
import { createLineSplitter } from "./line-splitter.ts";

/** Whom a client trusts and what it shows. */
export interface AgentTrust {
  ca: string;
  credential: ClientCredential | null;
}

/** The calls of the agent protocol; each throws `AgentCallError`. One at a time, save for `control`. */
export interface AgentClient {
  register(input: RegisterInput): Promise<RegisterOutput>;
  renew(input: RenewInput): Promise<RenewOutput>;
  heartbeat(input: HeartbeatInput): Promise<HeartbeatOutput>;
  /** Holds a stream on a connection of its own and hands over what it says, until it ends or fails. */
  control(onLine: (line: unknown) => void): Promise<void>;
  /** Another certificate or bundle from the next call on. */
  use(trust: AgentTrust): void;
  close(): void;
}

const CONNECT_MS = seconds(10);
const ANSWER_MS = seconds(30);
/** The stream is kept alive every 15 seconds. */
const SILENCE_MS = seconds(50);
const MAX_LINE = 65_536;

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

/** A client of one panel; it connects when it is first called and keeps the connection. */
export function createAgentClient(
  clock: Pick<Clock, "after">,
  endpoint: AgentEndpoint,
  given: AgentTrust,
  connectMs = CONNECT_MS,
): AgentClient {
  let trust = given;
  let held: AgentConnection | null = null;
  let stream: AgentConnection | null = null;
  let isClosed = false;

  async function open(): Promise<AgentConnection> {
    const used = trust;
    const made = await openConnection(clock, { endpoint, ...used, connectMs });
    if (!isClosed && used === trust) return made;
    made.close();
    throw new AgentCallError("unreachable", "The connection to the panel was closed here.");
  }

  async function post(path: string, input: object): Promise<unknown> {
    const body = JSON.stringify(input);
    const kept = held?.isOpen() ? held : null;
    held = kept ?? (await open());
    const hasServed = held.answered() > 0;
    try {
      return await ask(held, path, body);
    } catch (error) {
      // The panel closes what idles; only a connection that never carried anything tells something by closing.
      const isStale = hasServed && error instanceof AgentCallError && error.kind === "dropped";
      if (!isStale || isClosed) throw error;
    }
    held = await open();
    return ask(held, path, body);
  }

  return {
    register: async (input) => readRegister(await post(AGENT_PATHS.register, input)),
    renew: async (input) => readRenew(await post(AGENT_PATHS.renew, input)),
    heartbeat: async (input) => readHeartbeat(await post(AGENT_PATHS.heartbeat, input)),
    async control(onLine) {
      stream?.close();
      stream = await open();
      try {
        await listen(stream, onLine);
      } finally {
        stream?.close();
      }
    },
    use(next) {
      trust = next;
      held?.close();
      stream?.close();
      held = null;
    },
    close() {
      isClosed = true;
      held?.close();
      stream?.close();
    },
  };
}

async function ask(connection: AgentConnection, path: string, body: string): Promise<unknown> {
  const reply = collectReply();
  await connection.exchange({ path, body, idleMs: ANSWER_MS, ...reply.sink });
  return reply.read();
}

async function listen(connection: AgentConnection, onLine: (line: unknown) => void): Promise<void> {
  const refusal = collectReply();
  const lines = createLineSplitter(MAX_LINE, onLine);
  let isRefused = false;
  await connection.exchange({
    path: AGENT_PATHS.control,
    body: "{}",
    idleMs: SILENCE_MS,
    onHead(head) {
      isRefused = head.status !== 200;
      refusal.sink.onHead(head);
    },
    onBody: (chunk) => (isRefused ? refusal.sink.onBody(chunk) : lines.feed(chunk)),
  });
  if (isRefused) refusal.read();
}
