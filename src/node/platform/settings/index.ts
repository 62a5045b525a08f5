/** Settings: what an admin can change while the node runs, each declared once by the feature that reads it. */
import { defineFeature } from "../../../kernel/feature.ts";
import { settingsFail } from "../../../kernel/settings.ts";
import type { NodeContext } from "../../context.ts";
import init from "./migrations/0001_settings.sql" with { type: "text" };
import { settingRoutes } from "./routes.ts";

export const settings = defineFeature<NodeContext>({
  name: "settings",
  migrations: [init],
  errors: settingsFail.table,
  routes: settingRoutes,
});
