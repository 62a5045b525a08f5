import type { Feature } from "../../../shell/feature.ts";
import { resource } from "../../client/resource.ts";

/** Where alerts go. */
export const alertChannelsFeature: Feature = {
  reaction: {
    on: {
      "channel.*": () => {
        const channels = resource("GET /api/alerting/channels");
        if (channels.data.peek() !== null) void channels.refresh();
      },
    },
  },
};
