/** Workspace settings: two-factor duty, recording, updates of agents, and what the workspace is for. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { PanelContext } from "../../context.ts";
import { workspaceSettingsRoutes } from "./routes.ts";

export { putMode } from "./logic.ts";

export const workspaceSettings = defineContextFeature<PanelContext>({
  name: "workspace-settings",
  routes: workspaceSettingsRoutes,
});
