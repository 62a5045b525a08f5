import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { sse } from "../../../kernel/http/sse.ts";
import { createGate } from "../../../lib/gate.ts";
import { bindRoutes } from "../../route.ts";
import { readContainerLog } from "./container-log.ts";
import { logRoutes } from "./contract.ts";
import { type Filter, presentPage, toFilter } from "./filter.ts";
import { readJournal } from "./journal.ts";
import type { Needs, Own } from "./needs.ts";
import { readAll } from "./read-all.ts";
import { createReaderPlaces } from "./reader-places.ts";
import { createChooser, streamLines } from "./stream-lines.ts";
import { readSystemLog } from "./system-log.ts";

/** Each reader is a program of its own that may need a whole core. */
const AT_A_TIME = 2;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** What answers the routes of logs. */
export function bindLogRoutes(needs: Needs, own: Own): BoundRoutes {
  const enter = createGate(AT_A_TIME);
  const enterAll = createGate(AT_A_TIME);
  const places = createReaderPlaces();
  const until = (request: Request): AbortSignal => AbortSignal.any([own.signal, request.signal]);
  const journal = (request: Request, filter: Filter, unit: string | null) =>
    enter(() => readJournal({ run: own.system.run, signal: until(request) }, filter, unit));
  const enterContainer = createGate(AT_A_TIME);
  // Up to a million lines go through this program: side by side, all would run out of time.
  const container = (id: string, filter: Filter, request: Request) =>
    enterContainer(() => readContainerLog(own, id, filter, until(request)));
  const system = (request: Request, filter: Filter) => {
    const { files } = own.system;
    return readSystemLog({ journal: () => journal(request, filter, null), files, now: own.clock.now() }, filter);
  };
  return bindRoutes(logRoutes, {
    "GET /api/logs": ({ query, request }) => {
      const readers = {
        system: (filter: Filter, unit: string | null) =>
          unit === null ? system(request, filter) : journal(request, filter, unit),
        container: (name: string, filter: Filter) => container(name, filter, request),
      };
      return enterAll(() => readAll(own, readers, query));
    },
    "GET /api/logs/stream": ({ actor, query, request, server }) => {
      const lastId = request.headers.get("last-event-id") ?? "";
      const after = TIME.test(lastId) ? lastId : (query.after ?? null);
      const isChosen = createChooser(query, after);
      return sse(needs, { request, server }, (signal) => {
        const giveBack = places.take(actor.user_id);
        // Of who has left already nothing more is heard, and nothing is read.
        if (signal.aborted) giveBack();
        else signal.addEventListener("abort", giveBack);
        return streamLines(own, { query, after, isChosen, onEnd: giveBack }, signal);
      });
    },
    "GET /api/logs/journal": async ({ query, request }) =>
      presentPage(await journal(request, toFilter(query), query.unit ?? null)),
    "GET /api/logs/system": async ({ query, request }) => presentPage(await system(request, toFilter(query))),
    "GET /api/logs/docker/{id}": async ({ params, query, request }) =>
      presentPage(await container(params.id, toFilter(query), request)),
  });
}
