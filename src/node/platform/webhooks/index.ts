/** Webhooks: what happens on the node, told to other programs, signed, at least once. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import { hours, minutes, seconds } from "../../../lib/duration.ts";
import { withPatience } from "../../../lib/patience.ts";
import type { NodeContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { enqueue } from "./enqueue.ts";
import { webhookMeanings } from "./events.ts";
import init from "./migrations/0001_webhooks.sql" with { type: "text" };
import { webhookRoutes } from "./routes.ts";
import { catchUp, sweep } from "./sweep.ts";

export { createDeliverer, type Deliverer } from "./deliverer.ts";

/** How long a stop waits for requests that are on their way; what is cut off is sent again at the next start. */
const STOP_MS = seconds(3);

export const webhooks = defineContextFeature<NodeContext>({
  name: "webhooks",
  migrations: [init],
  errors: fail.table,
  events: webhookMeanings,
  routes: webhookRoutes,
  jobs: (ctx) => [
    { name: "webhooks.catch_up", everyMs: minutes(1), run: () => catchUp(ctx) },
    { name: "webhooks.sweep", everyMs: hours(1), run: (signal) => sweep(ctx, signal) },
  ],
  subscribe(ctx) {
    ctx.bus.onEmit((name, data) => {
      const meaning = ctx.meanings.get(name)?.webhook;
      if (!meaning) return;
      if (enqueue(ctx, { type: name, data: meaning.present?.(data) ?? data }) > 0)
        ctx.db.afterCommit(ctx.webhooks.wake);
    });
  },
  start: catchUp,
  stop: (ctx) => withPatience(ctx.clock, STOP_MS, ctx.webhooks.settled()).catch(() => {}),
});
