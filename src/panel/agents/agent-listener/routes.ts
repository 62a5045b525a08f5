import type { TSchema } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import type { Static } from "elysia";
import { kernelFail } from "../../../kernel/http/errors.ts";
import { schemaReason } from "../../../kernel/http/schema-reason.ts";
import {
  AGENT_PATHS,
  agentFail,
  HeartbeatInput,
  type HeartbeatOutput,
  RegisterInput,
  type RegisterOutput,
  RenewInput,
  type RenewOutput,
} from "../../../shared/agent-protocol/index.ts";
import type { AgentIdentity } from "./directory.ts";

/** What the listener calls, with checked input. */
export interface AgentHandlers {
  register(input: RegisterInput, from: { address: string }): Promise<RegisterOutput>;
  renew(input: RenewInput, node: AgentIdentity): Promise<RenewOutput>;
  heartbeat(input: HeartbeatInput, node: AgentIdentity): Promise<HeartbeatOutput>;
}

/** Who calls; nobody's identity is known on the way to `register`. */
export interface Caller {
  identity: AgentIdentity | null;
  address: string;
}

/** One route of the agent port: a call, or the address that begins a session. */
export type AgentRoute = AgentCall | { kind: "session"; isOpen: false; bodyLimit: 0 };

export interface AgentCall {
  kind: "call";
  /** True for the one call that needs no certificate. */
  isOpen: boolean;
  bodyLimit: number;
  run(body: unknown, caller: Caller): Promise<object>;
}

const SMALL_BODY = 32_768;
/** A node with a thousand apps and the output of its commands. */
const HEARTBEAT_BODY = 1_048_576;

/**
 * A check for one shape. Fields that it does not name are let through unread: a node may be newer than its panel.
 * Throws `invalid_request`.
 */
function checker<S extends TSchema>(shape: S): (body: unknown) => Static<S> {
  const compiled = TypeCompiler.Compile(shape);
  return (body) => {
    if (compiled.Check(body)) return body;
    const first = compiled.Errors(body).First();
    const schema: object | undefined = first?.schema;
    const field = first?.path.replace(/^\//, "").replaceAll("/", ".") || "body";
    throw kernelFail("invalid_request", { field, reason: schemaReason(first?.message ?? "is not valid", schema) });
  };
}

const readRegister = checker(RegisterInput);
const readRenew = checker(RenewInput);
const checkHeartbeat = checker(HeartbeatInput);

/** Bytes of JSON that a field may have. What a workspace's nodes tell is held in memory, all of it. */
const FIELD_BYTES = { inventory: 65_536, apps: 524_288 } as const;

/** Throws `invalid_request`, also for a field that is too large. */
function readHeartbeat(body: unknown): HeartbeatInput {
  const input = checkHeartbeat(body);
  for (const [field, limit] of Object.entries(FIELD_BYTES)) {
    const value = field === "apps" ? input.apps : input.inventory;
    if (value !== undefined && Buffer.byteLength(JSON.stringify(value)) > limit)
      throw kernelFail("invalid_request", { field, reason: `has more than ${limit} bytes` });
  }
  return input;
}

function signedIn({ identity }: Caller): AgentIdentity {
  if (!identity) throw agentFail("certificate_required");
  return identity;
}

/** The routes by path. */
export function agentRoutes(handlers: AgentHandlers): ReadonlyMap<string, AgentRoute> {
  return new Map<string, AgentRoute>([
    [
      AGENT_PATHS.register,
      {
        kind: "call",
        isOpen: true,
        bodyLimit: SMALL_BODY,
        run: async (body, { address }) => handlers.register(readRegister(body), { address }),
      },
    ],
    [
      AGENT_PATHS.renew,
      {
        kind: "call",
        isOpen: false,
        bodyLimit: SMALL_BODY,
        run: async (body, caller) => handlers.renew(readRenew(body), signedIn(caller)),
      },
    ],
    [AGENT_PATHS.heartbeat, heartbeatCall(handlers)],
    [AGENT_PATHS.control, { kind: "session", isOpen: false, bodyLimit: 0 }],
  ]);
}

/** Heartbeats, by themselves and on a session. */
export const heartbeatCall = (handlers: Pick<AgentHandlers, "heartbeat">): AgentCall => ({
  kind: "call",
  isOpen: false,
  bodyLimit: HEARTBEAT_BODY,
  run: async (body, caller) => handlers.heartbeat(readHeartbeat(body), signedIn(caller)),
});
