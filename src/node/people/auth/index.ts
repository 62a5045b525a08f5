/** Sign-in: the owner's setup, passwords, token pairs and the guard that every route stands behind. */

import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { AskAgain, Authorize } from "../../../kernel/http/access.ts";
import { planFail } from "../../../shared/plans/index.ts";
import type { NodeRule } from "../../access.ts";
import type { Actor } from "../../actor.ts";
import { createGuard } from "./authorize.ts";
import { isClaimRequired } from "./claim.ts";
import { fail } from "./contract.ts";
import { authMeanings } from "./events.ts";
import type { Needs } from "./needs.ts";
import { createPresence, type Presence } from "./presence.ts";
import { bindAuthRoutes } from "./routes.ts";

export { claimTokenPath } from "./claim.ts";
export { tellEnded, tellWays, WAY_KINDS } from "./ended.ts";
export type { Presence } from "./presence.ts";
export { createResetPassword } from "./reset-password.ts";

export const authFeature = defineFeature({
  name: "auth",
  events: authMeanings,
  errors: { ...fail.table, ...planFail.table },
});

/** Who may come in. */
export interface Auth extends Part {
  /** The guard's decision: credentials 401, rate 429, locked 423, what keys may 403, role 403, plan 402, in this order. */
  authorize: Authorize<Actor, NodeRule>;
  /** The same for somebody who was let in and may have lost what they were let in by. */
  askAgain: AskAgain<Actor, NodeRule>;
  /** True while setup needs the token that the installer printed. */
  isClaimRequired(): boolean;
  /** Who stays for longer than their access token lasts. */
  presence: Presence;
}

export const createAuth = (needs: Needs): Auth => ({
  feature: authFeature,
  ...createGuard(needs),
  isClaimRequired: () => isClaimRequired(needs.config.data_dir),
  presence: createPresence(needs),
  routes: [bindAuthRoutes(needs)],
});
