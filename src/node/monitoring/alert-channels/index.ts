/** Alert channels: tells people of alerts by mail, chat and webhook through a durable outbox, each thing once. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { hours, seconds } from "../../../lib/duration.ts";
import { tellOfPauses } from "../../makers.ts";
import { findUnknownChannel } from "./channels/channel-store.ts";
import { listPaused } from "./channels/paused.ts";
import { fail, type NoticeRequest } from "./contract.ts";
import { alertChannelMeanings } from "./events.ts";
import init from "./migrations/0001_alert_channels.sql" with { type: "text" };
import makers from "./migrations/0002_makers.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { drainOutbox, releaseClaims } from "./outbox/drain.ts";
import { enqueueNotice } from "./outbox/enqueue.ts";
import { pruneTrail } from "./outbox/prune.ts";
import { bindAlertChannelRoutes } from "./routes.ts";
import { checkPublicUrl, PUBLIC_URL_SETTING } from "./texts/place.ts";

export { PUBLIC_URL_SETTING } from "./texts/place.ts";

export const alertChannelsFeature = defineFeature({
  name: "alert-channels",
  migrations: [init, makers],
  errors: fail.table,
  events: alertChannelMeanings,
  settings: {
    [PUBLIC_URL_SETTING]: {
      default: "",
      scope: "alerts",
      // The panel sends people there to sign in.
      byPeopleOnly: true,
      doc: "Address of the dashboard that links in alert messages begin with, such as https://home.example.org",
      check: checkPublicUrl,
    },
  },
});

/** The ways to people. */
export interface AlertChannels extends Part {
  /**
   * Queues a notice for its channels inside the caller's transaction: what is committed with it will be delivered, also after a
   * crash. Each channel is told a thing once; see `enqueueNotice`.
   */
  enqueue(request: NoticeRequest): void;
  /** The first of these ids that no channel has; null when all exist. */
  findUnknown(ids: readonly string[]): string | null;
}

const DELIVER = "alert-channels.deliver";

/** The channels of a node, served once it runs. */
export const createAlertChannels = (needs: Needs): AlertChannels => ({
  feature: alertChannelsFeature,
  routes: [bindAlertChannelRoutes(needs)],
  jobs: [
    { name: DELIVER, everyMs: seconds(2), run: () => drainOutbox(needs) },
    { name: "alert-channels.prune", everyMs: hours(1), run: (stop) => pruneTrail(needs, stop) },
  ],
  start() {
    releaseClaims(needs);
    void needs.jobs.run(DELIVER);
    tellOfPauses(
      needs,
      () => listPaused(needs),
      ({ id, name }) => needs.bus.emit("channel.paused", { channel_id: id, name }),
    );
  },
  enqueue: (request) => enqueueNotice(needs, request),
  findUnknown: (ids) => findUnknownChannel(needs.db, ids),
});
