/** Webhooks: what happens on the node, told to other programs, signed, at least once. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { hours, minutes, seconds } from "../../../lib/duration.ts";
import { withPatience } from "../../../lib/patience.ts";
import { tellOfPauses } from "../../makers.ts";
import { fail } from "./contract.ts";
import { createDeliverer, type Deliverer } from "./deliverer.ts";
import { enqueue } from "./enqueue.ts";
import { webhookMeanings } from "./events.ts";
import init from "./migrations/0001_webhooks.sql" with { type: "text" };
import manualTries from "./migrations/0002_manual_tries.sql" with { type: "text" };
import makers from "./migrations/0003_makers.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import type { Own } from "./own.ts";
import { listPaused } from "./paused.ts";
import { bindWebhookRoutes } from "./routes.ts";
import { catchUp, sweep } from "./sweep.ts";

/** How long a stop waits for requests that are on their way; what is cut off is sent again at the next start. */
const STOP_MS = seconds(3);

export const webhooksFeature = defineFeature({
  name: "webhooks",
  migrations: [init, manualTries, makers],
  errors: fail.table,
  events: webhookMeanings,
});

/** The webhooks, which listen to everything. */
export interface Webhooks extends Part, Pick<Deliverer, "settled"> {
  start(): void;
}

export function createWebhooks(needs: Needs): Webhooks {
  const { db, bus, clock, meanings } = needs;
  const deliverer = createDeliverer(needs);
  const own: Own = { ...needs, deliverer };
  return {
    feature: webhooksFeature,
    routes: [bindWebhookRoutes(own)],
    jobs: [
      { name: "webhooks.catch_up", everyMs: minutes(1), run: () => catchUp(own) },
      { name: "webhooks.sweep", everyMs: hours(1), run: (signal) => sweep(own, signal) },
    ],
    subscribe() {
      bus.onEmit((name, data) => {
        const meaning = meanings.get(name)?.webhook;
        if (!meaning) return;
        if (enqueue(own, { type: name, data: meaning.present?.(data) ?? data }) > 0) db.afterCommit(deliverer.wake);
      });
    },
    start() {
      catchUp(own);
      tellOfPauses(
        needs,
        () => listPaused(own),
        ({ id, url }) => bus.emit("webhook.paused", { webhook_id: id, host: new URL(url).host }),
      );
    },
    stop: () => withPatience(clock, STOP_MS, deliverer.settled()).catch(() => {}),
    settled: () => deliverer.settled(),
  };
}
