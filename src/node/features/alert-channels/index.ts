/** Alert channels: tells people of alerts by mail, chat and webhook through a durable outbox, each thing once. */
import { defineFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import { fail } from "./contract.ts";
import init from "./migrations/0001_alert_channels.sql" with { type: "text" };
import { checkPublicUrl, PUBLIC_URL_SETTING } from "./place.ts";

export { enqueueNotice } from "./enqueue.ts";

export const alertChannels = defineFeature<NodeContext>({
  name: "alert-channels",
  requires: ["settings", "system"],
  migrations: [init],
  errors: fail.table,
  settings: {
    [PUBLIC_URL_SETTING]: {
      default: "",
      scope: "alerts",
      doc: "Address of the dashboard that links in alert messages begin with, such as https://home.example.org",
      check: checkPublicUrl,
    },
  },
});
