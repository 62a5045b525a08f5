/** Approvals: a device that is signed in lets another one in, by a code that only the other one shows. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import { countUsers } from "../users/index.ts";
import { fail } from "./contract.ts";
import { approvalMeanings } from "./events.ts";
import { APPROVALS_SETTING } from "./logic.ts";
import { approvalRoutes } from "./routes.ts";

/** True when the sign-in page may offer this way in: it is switched on and somebody could approve. */
export function isApprovalEnabled({ db, settings }: Pick<NodeContext, "db" | "settings">): boolean {
  return settings.get(APPROVALS_SETTING) === "true" && countUsers(db) > 0;
}

export const approvals = defineContextFeature<NodeContext>({
  name: "approvals",
  errors: fail.table,
  events: approvalMeanings,
  settings: {
    [APPROVALS_SETTING]: {
      default: "true",
      type: "flag",
      doc: "Whether a signed-in device may let another one in",
    },
  },
  routes: approvalRoutes,
});
