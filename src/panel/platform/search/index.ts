/** Search: finding by a text what the features say can be found. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { Needs } from "./needs.ts";
import { bindSearchRoutes } from "./routes.ts";

export const searchFeature = defineFeature({ name: "search" });

export const createSearch = (needs: Needs): Part => ({ feature: searchFeature, routes: [bindSearchRoutes(needs)] });
