import type { EventMeanings } from "../../event-meaning.ts";
import type { TenantEvents } from "./contract.ts";

/** What changes of a workspace mean. */
export const tenantMeanings: EventMeanings<TenantEvents> = {
  "account.address_release": { audit: ({ member_id, email }) => ({ subject_id: member_id, details: { email } }) },
  "workspace.plan": { audit: ({ by, plan, previous }) => ({ subject_id: by.tenant_id, details: { plan, previous } }) },
};
