import type { TLSSocket } from "node:tls";
import { AppError, kernelFail } from "../../kernel/http/errors.ts";
import type { Limiter } from "../../kernel/http/limit.ts";
import type { Log } from "../../kernel/log.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Ids } from "../../lib/ids.ts";
import { agentFail } from "../../shared/agent-protocol/index.ts";
import type { ControlStreams } from "./control.ts";
import { type AgentDirectory, endsConnection, identify, type PresentedCertificate } from "./directory.ts";
import { beginStream, writeReply } from "./reply.ts";
import type { AgentRequest } from "./request-reader.ts";
import type { AgentRoute } from "./routes.ts";

export interface AnswerDeps {
  routes: ReadonlyMap<string, AgentRoute>;
  control: ControlStreams;
  directory: AgentDirectory;
  /** For calls without a certificate, by address. */
  strangers: Pick<Limiter, "take">;
  clock: Clock;
  ids: Ids;
  log: Log;
}

/** How a connection goes on after an answer. */
export type Outcome = "open" | "stream" | "ended";

/** Answers one request of a connection that presented `presented`. Never throws. */
export async function answer(
  deps: AnswerDeps,
  presented: PresentedCertificate | null,
  request: AgentRequest,
  socket: TLSSocket,
): Promise<Outcome> {
  try {
    const body = await run(deps, presented, request, socket);
    if (!body && presented && !socket.destroyed) {
      deps.control.open(presented, beginStream(socket));
      return "stream";
    }
    writeReply(socket, 200, body ?? {}, { isLast: !request.keepsOpen });
    return request.keepsOpen ? "open" : "ended";
  } catch (error) {
    const failure = error instanceof AppError ? error : unexpected(deps, error);
    // A body that was not read to its end would be taken for the next request.
    const isLast = endsConnection(error) || request.body === null || !request.keepsOpen;
    writeReply(socket, failure.status, failure.body(), { isLast, headers: failure.headers });
    return isLast ? "ended" : "open";
  }
}

/** The body of the answer; null for one that lasts. */
async function run(
  deps: AnswerDeps,
  presented: PresentedCertificate | null,
  request: AgentRequest,
  socket: TLSSocket,
): Promise<object | null> {
  const address = addressOf(socket);
  const route = deps.routes.get(request.path);
  // A node that was deleted may come back through the open route, whatever it still presents.
  const identity = route?.isOpen ? null : await identify(presented, deps.directory, deps.clock.now());
  if (!identity && !route?.isOpen) throw agentFail("certificate_required");
  if (!route || request.method !== "POST") throw kernelFail("not_found");
  const wait = identity ? 0 : deps.strangers.take(address);
  if (wait > 0) throw kernelFail("too_many_requests", { retry_after_s: wait }, { "retry-after": String(wait) });
  return route.run(readJson(request, route.bodyLimit), { identity, address });
}

/** The JSON value of a request. Throws `unsupported_media_type`, `payload_too_large`, `invalid_request`. */
function readJson({ contentType, body }: AgentRequest, limit: number): unknown {
  if (!/^application\/json\s*(;|$)/i.test(contentType)) throw kernelFail("unsupported_media_type");
  if (body === null) throw kernelFail("payload_too_large", { limit_bytes: limit });
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw kernelFail("invalid_request", { field: "body", reason: "is not valid JSON" });
  }
}

/** IPv4 stays IPv4 on a socket that speaks both. */
const addressOf = (socket: TLSSocket): string => (socket.remoteAddress ?? "").replace(/^::ffff:/, "");

function unexpected({ log, ids }: AnswerDeps, error: unknown): AppError {
  const errorId = ids.next("err");
  log.error("agent request failed inside", { error_id: errorId, error });
  return kernelFail("internal", { error_id: errorId });
}
