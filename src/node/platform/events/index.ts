/** Events: the dashboard's live stream, fed by the bus. */
import { Elysia } from "elysia";
import { defineContextFeature } from "../../../kernel/feature.ts";
import { answersAs } from "../../../kernel/http/answers.ts";
import { sse } from "../../../kernel/http/sse.ts";
import { user } from "../../access.ts";
import type { Actor } from "../../actor.ts";
import type { NodeContext } from "../../context.ts";
import type { Reader } from "./hub.ts";

export { createEventHub, type EventHub } from "./hub.ts";

/** API keys hear nothing of their user's own: a sign-in to be approved can be taken by whoever hears its id. */
const readerOf = ({ role, user_id, credential }: Actor): Reader => ({
  role,
  user_id: credential === "key" ? null : user_id,
});

export const events = defineContextFeature<NodeContext>({
  name: "events",
  routes: (ctx) =>
    new Elysia({ prefix: "/api/events" })
      .use(ctx.guard)
      .get(
        "/stream",
        ({ actor, request, server }) =>
          sse(ctx, { request, server }, (signal) =>
            ctx.eventHub.read(readerOf(actor), request.headers.get("last-event-id"), signal),
          ),
        { access: user(), ...answersAs("text/event-stream") },
      ),
  subscribe(ctx) {
    ctx.bus.onAny((name, data) => {
      const line = ctx.meanings.get(name)?.live?.(data);
      if (!line) return;
      const audience = line.audience === "everybody" ? ({ role: "viewer" } as const) : line.audience;
      ctx.eventHub.publish(line.name ?? name, audience, data);
    });
  },
});
