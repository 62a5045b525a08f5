/** Node search: what the servers of a workspace find themselves, asked through the sessions that they hold. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { createAsker } from "./ask-nodes.ts";
import type { Needs } from "./needs.ts";

export const nodeSearchFeature = defineFeature({ name: "node-search" });

export function createNodeSearch(needs: Needs): Part {
  needs.lists.farSearches.add(createAsker(needs));
  return { feature: nodeSearchFeature };
}
