import { defineContextFeature } from "../../../kernel/feature.ts";
import type { PanelContext } from "../../context.ts";
import init from "./migrations/0001_live.sql" with { type: "text" };

export const live = defineContextFeature<PanelContext>({
  name: "live",
  migrations: [init],
});
