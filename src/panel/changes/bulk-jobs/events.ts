import type { EventMeanings } from "../../event-meaning.ts";
import type { BulkEvents } from "./contract.ts";

/** What bulk jobs mean. */
export const bulkMeanings: EventMeanings<BulkEvents> = {
  "fleet.bulk.begin": {
    audit: ({ job_id, action, params, instances, instance_ids }) => ({
      subject_id: job_id,
      details: { action, params, instances, instance_ids },
    }),
  },
  "fleet.bulk.cancel": {
    audit: ({ job_id, action, taken_back }) => ({ subject_id: job_id, details: { action, taken_back } }),
  },
};
