/** API keys: signed texts that act as their owner, within their scopes. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { keyMeanings } from "./events.ts";
import init from "./migrations/0001_keys.sql" with { type: "text" };
import { keyRoutes } from "./routes.ts";

export { fail as keyFail } from "./contract.ts";
export { checkKey, coversScope } from "./logic.ts";

export const keys = defineContextFeature<NodeContext>({
  name: "keys",
  migrations: [init],
  errors: fail.table,
  events: keyMeanings,
  routes: keyRoutes,
});
