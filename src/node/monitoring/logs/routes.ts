import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { sse } from "../../../kernel/http/sse.ts";
import { createGate } from "../../../lib/gate.ts";
import { bindRoutes } from "../../route.ts";
import { logRoutes } from "./contract.ts";
import { type Filter, type Found, presentPage, toFilter } from "./filter.ts";
import type { Needs, Own } from "./needs.ts";
import { readAll } from "./read-all.ts";
import { createReaderPlaces } from "./reader-places.ts";
import type { LogReaders } from "./readers.ts";
import { createChooser, streamLines } from "./stream-lines.ts";

/** A search shares the program with everything else. */
const AT_A_TIME = 2;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** What answers the routes of logs. */
export function bindLogRoutes(needs: Needs, own: Own, readers: LogReaders): BoundRoutes {
  const enter = createGate(AT_A_TIME);
  const places = createReaderPlaces();
  const unitsOf = (unit: string | null | undefined): string[] => (unit === null || unit === undefined ? [] : [unit]);
  const page = (read: () => Promise<Found>) => enter(async () => presentPage(await read()));
  return bindRoutes(logRoutes, {
    "GET /api/logs": ({ query, request }) => {
      const { signal } = request;
      const asked = {
        system: (filter: Filter, unit: string | null) =>
          unit === null ? readers.system(filter, signal) : readers.journal(filter, [unit], signal),
        container: (name: string, filter: Filter) => readers.container(name, filter, signal),
      };
      return enter(() => readAll(own, asked, query));
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
    "GET /api/logs/journal": ({ query, request }) => {
      const filter = toFilter(query);
      return page(() => readers.journal(filter, unitsOf(query.unit), request.signal));
    },
    "GET /api/logs/system": ({ query, request }) => {
      const filter = toFilter(query);
      return page(() => readers.system(filter, request.signal));
    },
    "GET /api/logs/docker/{id}": ({ params, query, request }) => {
      const filter = toFilter(query);
      return page(() => readers.container(params.id, filter, request.signal));
    },
  });
}
