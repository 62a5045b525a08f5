/** TOTP: the second factor, its recovery codes and the logins that wait for it. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { totpMeanings } from "./events.ts";
import init from "./migrations/0001_totp.sql" with { type: "text" };
import { totpRoutes } from "./routes.ts";

export { awaitSecondFactor, forgetSecondFactor, isTotpOn, type PasswordOutcome } from "./logic.ts";
export { createPendingLogins, type PendingLogins } from "./pending-logins.ts";

export const totp = defineContextFeature<NodeContext>({
  name: "totp",
  migrations: [init],
  errors: fail.table,
  events: totpMeanings,
  routes: totpRoutes,
});
