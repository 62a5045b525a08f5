/** Setup: the wizard's second step, which names the node, tells it what it is for and begins its first apps. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { NodeBase } from "../../base.ts";
import { bindSetupRoutes } from "./routes.ts";

export const setupFeature = defineFeature({ name: "setup" });

export const createSetup = (needs: NodeBase): Part => ({ feature: setupFeature, routes: [bindSetupRoutes(needs)] });
