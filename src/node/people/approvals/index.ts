/** Approvals: a device that is signed in lets another one in, by a code that only the other one shows. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { fail } from "./contract.ts";
import { approvalMeanings } from "./events.ts";
import { APPROVALS_SETTING } from "./logic.ts";
import type { Needs, Own } from "./needs.ts";
import { createOpenRequests } from "./requests.ts";
import { bindApprovalRoutes } from "./routes.ts";

export const approvalsFeature = defineFeature({
  name: "approvals",
  errors: fail.table,
  events: approvalMeanings,
  settings: {
    [APPROVALS_SETTING]: {
      default: "true",
      type: "flag",
      byPeopleOnly: true,
      doc: "Whether a signed-in device may let another one in",
    },
  },
});

/** Sign-ins that a device lets in. */
export interface Approvals extends Part {
  /** True when the sign-in page may offer this way in: it is switched on and somebody could approve. */
  isEnabled(): boolean;
}

export function createApprovals(needs: Needs): Approvals {
  const { clock, settings, users } = needs;
  const own: Own = { ...needs, open: createOpenRequests(clock) };
  return {
    feature: approvalsFeature,
    isEnabled: () => settings.get(APPROVALS_SETTING) === "true" && users.count() > 0,
    routes: [bindApprovalRoutes(own)],
  };
}
