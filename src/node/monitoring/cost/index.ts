/** Cost: what apps would cost at the owner's rates, day by day, and what could be saved. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { fail } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { bindCostRoutes } from "./routes.ts";
import { costSettings } from "./settings.ts";

export const costFeature = defineFeature({ name: "cost", errors: fail.table, settings: costSettings });

export const createCost = (needs: Needs): Part => ({ feature: costFeature, routes: [bindCostRoutes(needs)] });
