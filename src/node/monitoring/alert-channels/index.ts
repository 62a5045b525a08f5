/** Alert channels: tells people of alerts by mail, chat and webhook through a durable outbox, each thing once. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import { hours, seconds } from "../../../lib/duration.ts";
import type { NodeContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { alertChannelMeanings } from "./events.ts";
import init from "./migrations/0001_alert_channels.sql" with { type: "text" };
import { drainOutbox, releaseClaims } from "./outbox/drain.ts";
import { pruneTrail } from "./outbox/prune.ts";
import { alertChannelRoutes } from "./routes.ts";
import { checkPublicUrl, PUBLIC_URL_SETTING } from "./texts/place.ts";

export { findUnknownChannel } from "./channels/channel-store.ts";
export { enqueueNotice } from "./outbox/enqueue.ts";
export { PUBLIC_URL_SETTING } from "./texts/place.ts";

export const alertChannels = defineContextFeature<NodeContext>({
  name: "alert-channels",
  migrations: [init],
  errors: fail.table,
  events: alertChannelMeanings,
  settings: {
    [PUBLIC_URL_SETTING]: {
      default: "",
      scope: "alerts",
      doc: "Address of the dashboard that links in alert messages begin with, such as https://home.example.org",
      check: checkPublicUrl,
    },
  },
  routes: alertChannelRoutes,
  jobs: (ctx) => [
    { name: "alert-channels.deliver", everyMs: seconds(5), run: () => drainOutbox(ctx) },
    { name: "alert-channels.prune", everyMs: hours(1), run: () => pruneTrail(ctx) },
  ],
  start(ctx) {
    releaseClaims(ctx);
    void ctx.jobs.run("alert-channels.deliver");
  },
});
