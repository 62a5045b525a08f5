/** Workspace settings: two-factor duty, recording, updates of agents, and what the workspace is for. */
import { defineContextFeature } from "../../context.ts";
import { workspaceSettingsMeanings } from "./events.ts";
import { workspaceSettingsRoutes } from "./routes.ts";

export { putMode } from "./logic.ts";

export const workspaceSettings = defineContextFeature({
  name: "workspace-settings",
  routes: workspaceSettingsRoutes,
  events: workspaceSettingsMeanings,
});
