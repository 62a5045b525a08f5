import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { AppError, kernelFail } from "../../kernel/http/errors.ts";
import type { Limiter } from "../../kernel/http/limit.ts";
import type { Log } from "../../kernel/log.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Ids } from "../../lib/ids.ts";
import { agentFail } from "../../shared/agent-protocol/index.ts";
import type { ControlStreams } from "./control.ts";
import { type AgentDirectory, endsConnection, identify, type PresentedCertificate } from "./directory.ts";
import { readBody } from "./read-body.ts";
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

/** Answers one request of a connection that presented `presented`; true when the answer lasts. Never throws. */
export async function answer(
  deps: AnswerDeps,
  presented: PresentedCertificate | null,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  try {
    const body = await run(deps, presented, request);
    if (body) write(response, 200, body, false);
    else if (presented) deps.control.open(presented, response);
    return body === null;
  } catch (error) {
    const failure = error instanceof AppError ? error : unexpected(deps, error);
    // A body that was not read to its end would be taken for the next request.
    const isLast = endsConnection(error) || !request.complete;
    write(response, failure.status, failure.body(), isLast, failure.headers);
    return false;
  }
}

/** The body of the answer; null for one that lasts. */
async function run(
  deps: AnswerDeps,
  presented: PresentedCertificate | null,
  request: IncomingMessage,
): Promise<object | null> {
  const address = addressOf(request.socket);
  const route = deps.routes.get((request.url ?? "").split("?", 1)[0] ?? "");
  // A node that was deleted may come back through the open route, whatever it still presents.
  const identity = route?.isOpen ? null : await identify(presented, deps.directory, deps.clock.now());
  if (!identity && !route?.isOpen) throw agentFail("certificate_required");
  if (!route || request.method !== "POST") throw kernelFail("not_found");
  const wait = identity ? 0 : deps.strangers.take(address);
  if (wait > 0) throw kernelFail("too_many_requests", { retry_after_s: wait }, { "retry-after": String(wait) });
  return route.run(await readBody(request, route.bodyLimit), { identity, address });
}

/** IPv4 stays IPv4 on a socket that speaks both. */
const addressOf = (socket: Socket): string => (socket.remoteAddress ?? "").replace(/^::ffff:/, "");

function unexpected({ log, ids }: AnswerDeps, error: unknown): AppError {
  const errorId = ids.next("err");
  log.error("agent request failed inside", { error_id: errorId, error });
  return kernelFail("internal", { error_id: errorId });
}

function write(
  response: ServerResponse,
  status: number,
  body: object,
  isLast: boolean,
  headers: Record<string, string> = {},
): void {
  if (response.destroyed || response.headersSent) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    ...(isLast ? { connection: "close" } : {}),
    ...headers,
  });
  response.end(text);
}
