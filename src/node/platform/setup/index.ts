/** Setup: the wizard's second step, which names the node, tells it what it is for and begins its first apps. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import { setupRoutes } from "./routes.ts";

export const setup = defineContextFeature<NodeContext>({
  name: "setup",
  routes: setupRoutes,
});
