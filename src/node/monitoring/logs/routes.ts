import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { sse } from "../../../kernel/http/sse.ts";
import { createGate } from "../../../lib/gate.ts";
import { bindRoutes } from "../../route.ts";
import { logRoutes } from "./contract.ts";
import { type Filter, presentPage, toFilter } from "./filter.ts";
import type { Needs, Own } from "./needs.ts";
import { readAll } from "./read-all.ts";
import { createReaderPlaces } from "./reader-places.ts";
import type { LogReaders } from "./readers.ts";
import { createChooser, streamLines } from "./stream-lines.ts";

/** Each question reads several logs. */
const AT_A_TIME = 2;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** What answers the routes of logs. */
export function bindLogRoutes(needs: Needs, own: Own, readers: LogReaders): BoundRoutes {
  const enterAll = createGate(AT_A_TIME);
  const places = createReaderPlaces();
  const unitsOf = (unit: string | null | undefined): string[] => (unit === null || unit === undefined ? [] : [unit]);
  return bindRoutes(logRoutes, {
    "GET /api/logs": ({ query, request }) => {
      const { signal } = request;
      const asked = {
        system: (filter: Filter, unit: string | null) =>
          unit === null ? readers.system(filter, signal) : readers.journal(filter, [unit], signal),
        container: (name: string, filter: Filter) => readers.container(name, filter, signal),
      };
      return enterAll(() => readAll(own, asked, query));
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
      presentPage(await readers.journal(toFilter(query), unitsOf(query.unit), request.signal)),
    "GET /api/logs/system": async ({ query, request }) =>
      presentPage(await readers.system(toFilter(query), request.signal)),
    "GET /api/logs/docker/{id}": async ({ params, query, request }) =>
      presentPage(await readers.container(params.id, toFilter(query), request.signal)),
  });
}
