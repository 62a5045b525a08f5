import type { EventMeanings } from "../../event-meaning.ts";
import type { TimelineEvents } from "./contract.ts";

export const timelineMeanings: EventMeanings<TimelineEvents> = {
  "system.node_started": {
    change: {},
    timeline({ version, before }) {
      if (before !== null && before !== version) {
        return {
          category: "update",
          severity: "info",
          title: `Orrery was updated from ${before} to ${version}`,
          audience: "everybody",
          isInbox: true,
        };
      }
      return { category: "system", severity: "info", title: `Orrery ${version} started`, audience: "everybody" };
    },
  },
};
