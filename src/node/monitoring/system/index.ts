/** System: what this machine is, what it is doing right now and how full it is. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import { systemRoutes } from "./routes.ts";

export { nodeMode, nodeName, readNodeId } from "../../platform/identity/index.ts";
export { compareCounters, createLiveSampler, type LiveSampler } from "./live.ts";

export const system = defineContextFeature<NodeContext>({
  name: "system",
  routes: systemRoutes,
  start: ({ live }) => live.prime(),
});
