import type { EventMeanings } from "../../event-meaning.ts";
import type { StaffEvents } from "./contract.ts";

/** What the staff of the panel does, as the workspace that it is about reads it. */
export const staffMeanings: EventMeanings<StaffEvents> = {
  "workspace.suspend": {
    audit: ({ by, reason, staff }) => ({ subject_id: by.tenant_id, details: { reason, staff } }),
  },
  "workspace.resume": { audit: ({ by, staff }) => ({ subject_id: by.tenant_id, details: { staff } }) },
  "workspace.plan_by_staff": {
    audit: ({ by, plan, previous, staff }) => ({ subject_id: by.tenant_id, details: { plan, previous, staff } }),
  },
  "workspace.support_open": {
    audit: ({ permit_id, note, hours }) => ({ subject_id: permit_id, details: { note, hours } }),
  },
  "workspace.support_close": {
    audit: ({ permit_id, is_early }) => ({ subject_id: permit_id, details: { is_early } }),
  },
  "workspace.support_enter": { audit: ({ permit_id, staff }) => ({ subject_id: permit_id, details: { staff } }) },
};
