/** Events: the dashboard's live stream, fed by the bus. */
import { Elysia } from "elysia";
import { defineContextFeature } from "../../../kernel/feature.ts";
import { answersAs } from "../../../kernel/http/answers.ts";
import { sse } from "../../../kernel/http/sse.ts";
import { type Role, user } from "../../access.ts";
import type { Actor } from "../../actor.ts";
import type { NodeContext } from "../../context.ts";
import type { Reader } from "./hub.ts";

export { createEventHub, type EventHub } from "./hub.ts";

/** Which bus events reach the dashboard, under which name, and who may see them. */
const FORWARDED: Readonly<Record<string, { event: string; role: Role }>> = {
  "operation.changed": { event: "operation.changed", role: "viewer" },
  "app.status_changed": { event: "app.status", role: "viewer" },
  "app.removed": { event: "app.removed", role: "viewer" },
  "alert.fired": { event: "alert.fired", role: "viewer" },
  "alert.resolved": { event: "alert.resolved", role: "viewer" },
  "alert.acknowledged": { event: "alert.acknowledged", role: "viewer" },
  "runtime.changed": { event: "runtime.changed", role: "viewer" },
  "channel.failing": { event: "channel.failing", role: "viewer" },
  "channel.recovered": { event: "channel.recovered", role: "viewer" },
};

/** Events that only the user they are about gets to see. */
const PRIVATE: ReadonlySet<string> = new Set([
  "approval.requested",
  "approval.decided",
  "session.locked",
  "session.revoked",
  "session.others_revoked",
]);

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
      const target = FORWARDED[name];
      if (target) ctx.eventHub.publish(target.event, { role: target.role }, data);
      if (PRIVATE.has(name) && "user_id" in data && typeof data.user_id === "string")
        ctx.eventHub.publish(name, { user_id: data.user_id }, data);
    });
  },
});
