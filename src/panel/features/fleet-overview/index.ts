/** Fleet overview: the whole fleet on one screen, its heat map, its regions and its clusters. */
import { defineFeature } from "../../../kernel/feature.ts";
import type { PanelContext } from "../../context.ts";
import { fail } from "./contract.ts";

export const fleetOverview = defineFeature<PanelContext>({
  name: "fleet-overview",
  requires: ["sessions", "fleet"],
  errors: fail.table,
});
