/** Workspace settings: two-factor duty, recording, updates of agents, and what the workspace is for. */
import { defineFeature } from "../../../kernel/feature.ts";
import type { PanelContext } from "../../context.ts";
import { workspaceSettingsRoutes } from "./routes.ts";

export { putMode } from "./logic.ts";

export const workspaceSettings = defineFeature<PanelContext>({
  name: "workspace-settings",
  requires: ["audit", "tenants", "sessions"],
  routes: workspaceSettingsRoutes,
});
