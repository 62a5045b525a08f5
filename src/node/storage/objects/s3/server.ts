import { createServer, type Server } from "node:http";
import { createBodyIntake } from "../../../../kernel/http/body-intake.ts";
import { createUnreadBudget } from "../../../../kernel/http/unread-answers.ts";
import { minutes, seconds } from "../../../../lib/duration.ts";
import { keepReadings } from "../../../../lib/keep-readings.ts";
import { createKeyedGate } from "../../../../lib/keyed-gate.ts";
import type { AccessTable } from "../access-table.ts";
import { readyLifecycle } from "../lifecycle/rules.ts";
import type { Needs } from "../needs.ts";
import { answerRequest } from "./answer-request.ts";
import { createComingBodies } from "./coming-bodies.ts";
import { createConnections } from "./connections.ts";
import { readyRules } from "./cors-rules.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { TEXT_LIMITS } from "./read-text.ts";
import { createSignatures } from "./signature.ts";

/** Parts that one key may have copied at a time: one is read while the other waits for the disk. */
const COPIES = 2;
/** What is kept of the rules of buckets: those of hundreds, or the largest there can be of a few. */
const KEPT_LETTERS = 4 * 1024 * 1024;

/**
 * The server that speaks S3. It is one of its own, since signatures are over paths and headers exactly as they were sent, which the
 * dashboard's server has tidied before anybody sees them.
 */
export function createS3Server(needs: Needs, access: AccessTable): Server {
  const signatures = createSignatures(access, needs.clock.now);
  const bodies = createComingBodies(needs.clock);
  const connections = createConnections(needs);
  const world = {
    ...needs,
    access,
    signatures,
    bodies,
    connections,
    countUnread: createUnreadBudget(),
    readWithin: createBodyIntake(needs.clock, TEXT_LIMITS),
    listGate: createKeyedGate(),
    copyGate: createKeyedGate(COPIES),
    readCors: keepReadings(readyRules, KEPT_LETTERS),
    readLifecycle: keepReadings(readyLifecycle, KEPT_LETTERS),
  };
  const answer = oneAtATime((request, response) => void answerRequest(world, request, response));
  const server = createServer((request, response) => {
    response.on("error", () => {});
    request.on("error", () => {});
    answer(request, response);
  });
  server.on("connection", connections.greet);
  server.once("close", access.onChange(bodies.checkAll));
  server.headersTimeout = seconds(30);
  server.keepAliveTimeout = minutes(1);
  // A large object over a slow line takes its time; a body of which nothing comes is given up where it is read.
  server.requestTimeout = 0;
  return server;
}
