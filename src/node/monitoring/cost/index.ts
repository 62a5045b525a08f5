/** Cost: what apps would cost at the owner's rates, day by day, and what could be saved. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { costRoutes } from "./routes.ts";
import { costSettings } from "./settings.ts";

export const cost = defineContextFeature<NodeContext>({
  name: "cost",
  errors: fail.table,
  settings: costSettings,
  routes: costRoutes,
});
