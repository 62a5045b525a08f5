import { TypeCompiler } from "@sinclair/typebox/compiler";
import { LOG_SERVICE, LogStreamBatch, type LogStreamParams } from "../../../shared/agent-protocol/index.ts";
import { type Actor, countedAs } from "../../actor.ts";
import { type NodeStream, StreamEnded } from "../../agents/agent-port/index.ts";
import { requireNode } from "../fleet/index.ts";
import { fail, type LogMessage, type LogStreamLine } from "./contract.ts";
import type { Needs } from "./needs.ts";

type Deps = Pick<Needs, "agentPort" | "live" | "ids">;

const batches = TypeCompiler.Compile(LogStreamBatch);
const GARBLED = { code: "agent_garbled", error: "The node sent something that is no log. Update it, then try again." };

/** Throws `node_not_found`, `agent_offline`, `agent_outdated`, `log_streams_full` when the logs of a node cannot be read now. */
export function assertReadable({ agentPort, live }: Deps, actor: Actor, nodeId: string): void {
  requireNode(live.fleetOf(actor), nodeId);
  const state = agentPort.streamState(nodeId, actor.tenant_id, LOG_SERVICE);
  if (state === "offline") throw fail("agent_offline");
  if (state === "unsupported") throw fail("agent_outdated", { what: "show its logs", instead: "read them" });
  if (state === "full") throw fail("log_streams_full", { count: "too many", whose: "on this node" });
}

/**
 * What a node's logs have, as messages, until the node or `left` ends it. The node is asked for more as these are taken, so that a slow
 * reader costs no memory here. Throws what `assertReadable` throws.
 */
export async function* readLogs(
  deps: Deps,
  actor: Actor,
  { nodeId, params }: { nodeId: string; params: LogStreamParams },
  left: AbortSignal,
): AsyncGenerator<LogMessage> {
  assertReadable(deps, actor, nodeId);
  const stream = deps.agentPort.openStream(nodeId, actor.tenant_id, {
    ...{ service: LOG_SERVICE, params },
    ...{ use: "logs", reader: countedAs(actor) },
  });
  if (!stream) throw fail("agent_offline");
  const close = () => stream.close();
  left.addEventListener("abort", close, { once: true });
  if (left.aborted) close();
  try {
    yield { type: "ready", command_id: deps.ids.next("cmd") };
    yield* messagesOf(stream);
  } finally {
    left.removeEventListener("abort", close);
    close();
  }
}

async function* messagesOf({ items }: NodeStream): AsyncGenerator<LogMessage> {
  try {
    for await (const data of items) {
      if (!batches.Check(data)) return yield { type: "error", ...GARBLED };
      yield { type: "batch", lines: data.lines.map(present) };
    }
    yield { type: "end" };
  } catch (error) {
    if (!(error instanceof StreamEnded)) throw error;
    yield { type: "error", code: error.failure.code, error: error.failure.message };
  }
}

/** Only what we know: a newer node may say more. */
const present = ({ ts, level, source, message }: LogStreamLine): LogStreamLine => ({ ts, level, source, message });
