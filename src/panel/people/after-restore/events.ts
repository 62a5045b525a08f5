import type { EventMeanings } from "../../event-meaning.ts";
import type { AfterRestoreEvents } from "./contract.ts";

/** What it means to a workspace that the panel's database is an older one. */
export const afterRestoreMeanings: EventMeanings<AfterRestoreEvents> = {
  "workspace.put_back": {
    audit: ({ by, ended }) => ({ subject_id: by.tenant_id, details: { ended: ended.join(", ") } }),
  },
};
