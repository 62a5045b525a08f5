/** Workspace settings: two-factor duty, recording, updates of agents, and what the workspace is for. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { Actor } from "../../actor.ts";
import type { Mode } from "../tenants/contract.ts";
import { fail, type ModeState } from "./contract.ts";
import { workspaceSettingsMeanings } from "./events.ts";
import { putMode } from "./logic.ts";
import type { Needs } from "./needs.ts";
import { bindWorkspaceSettingsRoutes } from "./routes.ts";

export const workspaceSettingsFeature = defineFeature({
  name: "workspace-settings",
  errors: fail.table,
  events: workspaceSettingsMeanings,
});

export interface WorkspaceSettings extends Part {
  /** Chooses what the workspace is for. */
  putMode(actor: Actor, ip: string, mode: Mode): Promise<ModeState>;
}

export const createWorkspaceSettings = (needs: Needs): WorkspaceSettings => ({
  feature: workspaceSettingsFeature,
  routes: [bindWorkspaceSettingsRoutes(needs)],
  putMode: (actor, ip, mode) => putMode(needs, actor, ip, mode),
});
