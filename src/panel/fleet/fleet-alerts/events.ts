import type { EventMeanings } from "../../event-meaning.ts";
import type { FleetAlertEvents } from "./contract.ts";

/** What acknowledging alerts means. */
export const fleetAlertMeanings: EventMeanings<FleetAlertEvents> = {
  "fleet.alert.acknowledge": {
    audit: ({ node_id, rule, region, alerts }) => ({
      subject_id: node_id,
      details: { rule, region, instances: alerts },
    }),
  },
};
