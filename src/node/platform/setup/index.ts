/** Setup: the wizard's second step, which names the node, tells it what it is for and begins its first apps. */
import { defineFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import { setupRoutes } from "./routes.ts";

export const setup = defineFeature<NodeContext>({
  name: "setup",
  requires: ["apps", "system"],
  routes: setupRoutes,
});
