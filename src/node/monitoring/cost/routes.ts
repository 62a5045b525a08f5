import { Elysia } from "elysia";
import { admin, user } from "../../access.ts";
import type { NodeRoutes } from "../../context.ts";
import {
  CostRecommendations,
  CostSettings,
  CostSettingsInput,
  CostSummary,
  CostTrends,
  TrendQuery,
} from "./contract.ts";
import { createLedger } from "./ledger.ts";
import { readTrends, recommend, summarizeCost } from "./logic.ts";
import { readRates, writeRates } from "./settings.ts";

const gate = { feature: "cost_optimization" };

export const costRoutes: NodeRoutes = (ctx) => {
  const ledger = createLedger(ctx);
  const access = user("monitoring", gate);
  return new Elysia({ prefix: "/api/cost" })
    .use(ctx.guard)
    .get("/summary", async () => summarizeCost(await ledger.get(), readRates(ctx)), { access, response: CostSummary })
    .get("/trends", async ({ query }) => readTrends(await ledger.get(), readRates(ctx), query.period ?? "7d"), {
      access,
      query: TrendQuery,
      response: CostTrends,
    })
    .get("/recommendations", async () => recommend(await ledger.get(), readRates(ctx)), {
      access,
      response: CostRecommendations,
    })
    .get("/settings", () => readRates(ctx), { access, response: CostSettings })
    .put("/settings", ({ actor, body, ip }) => writeRates(ctx, { actor_id: actor.user_id, ip }, body), {
      access: admin("settings", gate),
      body: CostSettingsInput,
      response: CostSettings,
    });
};
