/** Settings: what an admin can change while the node runs, each declared once by the feature that reads it. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { settingsFail } from "../../../kernel/settings.ts";
import { fail } from "./contract.ts";
import { settingsMeanings } from "./events.ts";
import init from "./migrations/0001_settings.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { bindSettingRoutes } from "./routes.ts";

export const settingsFeature = defineFeature({
  name: "settings",
  migrations: [init],
  errors: { ...settingsFail.table, ...fail.table },
  events: settingsMeanings,
});

export const createSettingsPart = (needs: Needs): Part => ({
  feature: settingsFeature,
  routes: [bindSettingRoutes(needs)],
});
