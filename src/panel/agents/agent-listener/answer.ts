import type { TLSSocket } from "node:tls";
import { kernelFail } from "../../../kernel/http/errors.ts";
import type { Limiter } from "../../../kernel/http/limit.ts";
import { networkOf } from "../../../kernel/http/peer.ts";
import { takeOne, tooManyRequests } from "../../../kernel/http/too-many-requests.ts";
import type { Clock } from "../../../lib/clock.ts";
import { shapeOf } from "../../../lib/json.ts";
import { agentFail, SESSION_PROTOCOL, shapeFault } from "../../../shared/agent-protocol/index.ts";
import { addressOf } from "./address-of.ts";
import {
  type AgentDirectory,
  type AgentIdentity,
  endsConnection,
  identify,
  type PresentedCertificate,
} from "./directory.ts";
import { type FailureDeps, failureOf } from "./failure.ts";
import { withWord } from "./final-word.ts";
import type { HeartbeatLimits } from "./heartbeat-limits.ts";
import type { ReadingBudget } from "./reading-budget.ts";
import { writeReply, writeSwitch } from "./reply.ts";
import type { AgentRequest } from "./request-reader.ts";
import type { AgentRoute } from "./routes.ts";

export interface AnswerDeps extends FailureDeps {
  routes: ReadonlyMap<string, AgentRoute>;
  directory: AgentDirectory;
  /** For calls without a certificate, by network. */
  strangers: Pick<Limiter, "take">;
  limits: HeartbeatLimits;
  budget: ReadingBudget;
  clock: Clock;
}

/** How a connection goes on after an answer. */
export type Outcome = "open" | "session" | "ended";

/** Answers one request of a connection that presented `presented`. Never throws. */
export async function answer(
  deps: AnswerDeps,
  presented: PresentedCertificate | null,
  request: AgentRequest,
  socket: TLSSocket,
): Promise<Outcome> {
  try {
    const { route, identity } = await admit(deps, presented, request, socket);
    if (route.kind === "session") {
      assertAsked(request);
      writeSwitch(socket, SESSION_PROTOCOL);
      return "session";
    }
    const input = readJson(request, route.bodyLimit, deps.budget, identity);
    const body = await route.run(input, { identity, address: addressOf(socket) });
    writeReply(socket, 200, body, { isLast: !request.keepsOpen });
    return request.keepsOpen ? "open" : "ended";
  } catch (cause) {
    const error = await withWord(deps, cause, presented);
    const failure = failureOf(deps, error);
    // A body that was not read to its end would be taken for the next request.
    const isLast = endsConnection(error) || request.body === null || !request.keepsOpen;
    writeReply(socket, failure.status, failure.body(), { isLast, headers: failure.headers });
    return isLast ? "ended" : "open";
  }
}

/** The route of a request and who asks; throws for whoever may not. */
async function admit(
  deps: AnswerDeps,
  presented: PresentedCertificate | null,
  request: AgentRequest,
  socket: TLSSocket,
): Promise<{ route: AgentRoute; identity: AgentIdentity | null }> {
  const route = deps.routes.get(request.path);
  // A node that was deleted may come back through the open route, whatever it still presents.
  const identity = route?.isOpen ? null : await speaker(deps, presented);
  if (!identity && !route?.isOpen) throw agentFail("certificate_required");
  if (identity) {
    deps.limits.assertNode(identity.nodeId);
    deps.limits.assertWorkspace(identity);
  }
  if (!route || (request.method !== "POST" && route.kind === "call")) throw kernelFail("not_found");
  if (!identity) takeOne(deps.strangers, networkOf(addressOf(socket)));
  return { route, identity };
}

/** Who calls, as `identify` says it. Throws `too_many_requests` in place of a refusal that was asked for too often. */
async function speaker(deps: AnswerDeps, presented: PresentedCertificate | null): Promise<AgentIdentity | null> {
  try {
    return await identify(presented, deps.directory, deps.clock.now());
  } catch (error) {
    if (presented && endsConnection(error)) deps.limits.assertRefused(presented.nodeId);
    throw error;
  }
}

/** Throws `session_required` for a request that wants something else, `payload_too_large` for one with a body. */
function assertAsked({ method, upgrade, body }: AgentRequest): void {
  if (method !== "GET" || upgrade !== SESSION_PROTOCOL)
    throw agentFail("session_required", { protocol: SESSION_PROTOCOL }, { upgrade: SESSION_PROTOCOL });
  if (body === null || body.length > 0) throw kernelFail("payload_too_large", { limit_bytes: 0 });
}

/** The JSON value of a request. Throws `unsupported_media_type`, `payload_too_large`, `too_many_requests`, `invalid_request`. */
function readJson(
  { contentType, body }: AgentRequest,
  limit: number,
  budget: ReadingBudget,
  identity: AgentIdentity | null,
): unknown {
  if (!/^application\/json\s*(;|$)/i.test(contentType)) throw kernelFail("unsupported_media_type");
  if (body === null) throw kernelFail("payload_too_large", { limit_bytes: limit });
  if (identity && budget.isSpent(identity.tenantId)) throw tooManyRequests(1);
  const text = body.toString("utf8");
  const shape = shapeOf(text);
  if (identity) budget.spend(identity.tenantId, body.length, shape.values);
  const fault = shapeFault(shape);
  if (fault) throw kernelFail("invalid_request", { field: "body", reason: fault });
  try {
    return JSON.parse(text);
  } catch {
    throw kernelFail("invalid_request", { field: "body", reason: "is not valid JSON" });
  }
}
