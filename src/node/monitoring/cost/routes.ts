import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { costRoutes } from "./contract.ts";
import { createLedger } from "./ledger.ts";
import { readTrends, recommend, summarizeCost } from "./logic.ts";
import type { Needs } from "./needs.ts";
import { readRates, writeRates } from "./settings.ts";

/** What answers the routes of costs. */
export function bindCostRoutes(needs: Needs): BoundRoutes {
  const ledger = createLedger(needs);
  return bindRoutes(costRoutes, {
    "GET /api/cost/summary": async () => summarizeCost(await ledger.get(), readRates(needs)),
    "GET /api/cost/trends": async ({ query }) => readTrends(await ledger.get(), readRates(needs), query.period ?? "7d"),
    "GET /api/cost/recommendations": async () => recommend(await ledger.get(), readRates(needs)),
    "GET /api/cost/settings": () => readRates(needs),
    "PUT /api/cost/settings": ({ actor, body, ip }) => writeRates(needs, { actor_id: actor.user_id, ip }, body),
  });
}
