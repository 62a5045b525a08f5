import { tryProgram } from "../../../kernel/host/run-program.ts";
import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { createGate } from "../../../lib/gate.ts";
import { bindRoutes } from "../../route.ts";
import { readContainerLog } from "./container-log.ts";
import { logRoutes } from "./contract.ts";
import { type Filter, toFilter } from "./filter.ts";
import { readJournal } from "./journal.ts";
import { SYSTEM_FILES } from "./log-file.ts";
import type { Needs } from "./needs.ts";
import { readSystemLog } from "./system-log.ts";

/** Each reader is a program of its own that may need a whole core. */
const AT_A_TIME = 2;

/** What answers the routes of logs. */
export function bindLogRoutes(needs: Needs): BoundRoutes {
  const enter = createGate(AT_A_TIME);
  const until = (request: Request): AbortSignal => AbortSignal.any([needs.signal, request.signal]);
  const journal = (request: Request, filter: Filter, unit: string | null) =>
    enter(() => readJournal({ run: tryProgram, signal: until(request) }, filter, unit));
  const enterContainer = createGate(AT_A_TIME);
  // Up to 50,000 lines go through this program: side by side, all would run out of time.
  const readContainer = (id: string, filter: Filter, request: Request) =>
    enterContainer(() => readContainerLog(needs, id, filter, until(request)));
  return bindRoutes(logRoutes, {
    "GET /api/logs/journal": ({ query, request }) => journal(request, toFilter(query), query.unit ?? null),
    "GET /api/logs/system": ({ query, request }) => {
      const filter = toFilter(query);
      const sources = { journal: () => journal(request, filter, null), files: SYSTEM_FILES, now: needs.clock.now() };
      return readSystemLog(sources, filter);
    },
    "GET /api/logs/docker/{id}": ({ params, query, request }) => readContainer(params.id, toFilter(query), request),
  });
}
