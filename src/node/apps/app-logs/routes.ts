import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { sse } from "../../../kernel/http/sse.ts";
import { createGate } from "../../../lib/gate.ts";
import { bindRoutes } from "../../route.ts";
import { appLogRoutes } from "./contract.ts";
import { toLineFilter } from "./filter.ts";
import type { Needs } from "./needs.ts";
import { followLines, readLastLines } from "./read-lines.ts";
import { searchLines } from "./search-lines.ts";

const DEFAULT_LINES = 200;
const DEFAULT_HITS = 100;
const SEARCHES_AT_A_TIME = 2;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** What answers the routes of logs. */
export const bindAppLogRoutes = (needs: Needs): BoundRoutes => {
  const enter = createGate(SEARCHES_AT_A_TIME);
  return bindRoutes(appLogRoutes, {
    "GET /api/apps/{id}/logs": ({ params, query, request, server }) => {
      const { lines = DEFAULT_LINES, follow = false, service } = query;
      if (!follow) return readLastLines(needs, params.id, lines, service);
      needs.apps.get(params.id);
      needs.runtime.requireEngine();
      const lastId = request.headers.get("last-event-id") ?? "";
      const options = { count: lines, service, after: TIME.test(lastId) ? lastId : null };
      return sse(needs, { request, server }, (signal) => followLines(needs, params.id, options, signal));
    },
    "GET /api/apps/{id}/logs/search": ({ params, query, request }) => {
      const { service, context = 0, limit = DEFAULT_HITS } = query;
      const search = { filter: toLineFilter(query), service, context, limit };
      const left = AbortSignal.any([needs.signal, request.signal]);
      return enter(() => searchLines(needs, params.id, search, left));
    },
  });
};
