/** Sign-in: the owner's setup, passwords, token pairs and the guard that every route stands behind. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import { planFail } from "../../../shared/plans/index.ts";
import type { NodeContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { authMeanings } from "./events.ts";
import { authRoutes } from "./routes.ts";

export { createAuthorize } from "./authorize.ts";
export { claimTokenPath, isClaimRequired } from "./claim.ts";

export const auth = defineContextFeature<NodeContext>({
  name: "auth",
  errors: { ...fail.table, ...planFail.table },
  events: authMeanings,
  routes: authRoutes,
});
