import { AppError } from "../../../kernel/http/errors.ts";
import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { socket } from "../../../kernel/http/socket.ts";
import { type ServerEvent, sse } from "../../../kernel/http/sse.ts";
import type { LogStreamParams } from "../../../shared/agent-protocol/index.ts";
import type { Actor } from "../../actor.ts";
import { bindRoutes } from "../../route.ts";
import { type LogMessage, type LogsQuery, nodeLogRoutes } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { createPlaces, whileHeld } from "./places.ts";
import { assertReadable, readLogs } from "./read-logs.ts";
import { resumedFrom, wantedOf } from "./wanted.ts";

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;

interface Visit {
  actor: Actor;
  params: { id: string };
  query: LogsQuery;
  request: Request;
}

/** What answers the routes of nodes' logs. */
export const bindNodeLogRoutes = (needs: Needs): BoundRoutes => {
  const places = createPlaces(needs.clock);

  async function* read(actor: Actor, nodeId: string, params: LogStreamParams, left: AbortSignal) {
    const place = places.take(actor);
    try {
      yield* whileHeld(place, readLogs(needs, actor, { nodeId, params }, AbortSignal.any([left, place.lost])));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const message: LogMessage = { type: "error", code: error.code, error: error.message };
      yield message;
    } finally {
      place.give();
    }
  }

  return bindRoutes(nodeLogRoutes, {
    "GET /api/fleet/instances/{id}/logs/stream": ({ actor, params, query, request, server }) => {
      const wanted = wantedOf(query);
      const lastId = request.headers.get("last-event-id") ?? "";
      const known = TIME.test(lastId) ? lastId : null;
      assertReadable(needs, actor, params.id);
      // Refused before anything is answered; the place itself is taken by the reading.
      places.take(actor).give();
      const asked = known === null ? wanted : resumedFrom(wanted, known);
      return sse({ ...needs, accessChanges: needs.accessEnds.of(actor) }, { request, server }, (left) =>
        eventsOf(read(actor, params.id, asked, left), known),
      );
    },
    "WS /api/fleet/instances/{id}/logs/ws": socket<Visit>(
      { ...needs, changesFor: ({ actor }) => needs.accessEnds.of(actor) },
      async (session, { actor, params, query }) => {
        try {
          const messages = read(actor, params.id, wantedOf(query), session.signal);
          for await (const message of messages) await session.sendJsonInTurn(message);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          session.sendJson({ type: "error", code: error.code, error: error.message });
        }
      },
    ),
  });
};

/** Each batch has the time of its last line as its id, to go on behind it; lines up to the `known` one are left out. */
async function* eventsOf(messages: AsyncIterable<LogMessage>, known: string | null): AsyncGenerator<ServerEvent> {
  for await (const message of messages) {
    const { type, ...data } = message;
    if (message.type !== "batch") {
      yield { event: type, data };
      continue;
    }
    const lines = message.lines.filter(({ ts }) => known === null || ts === null || ts > known);
    const id = lines.findLast(({ ts }) => ts !== null)?.ts;
    if (lines.length > 0) yield { event: "batch", data: { lines }, ...(id === undefined || id === null ? {} : { id }) };
  }
}
