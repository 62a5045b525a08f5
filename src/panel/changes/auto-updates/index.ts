/** Automatic updates: new releases go to the nodes of workspaces that want that, as a rollout. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { hours } from "../../../lib/duration.ts";
import { beginUpdates } from "./look.ts";
import type { Needs } from "./needs.ts";

export const autoUpdatesFeature = defineFeature({ name: "auto-updates" });

export function createAutoUpdates(needs: Needs): Part {
  const { lists, releases, rollouts } = needs;
  lists.hindrances.add({
    rule: "agent_auto_update",
    reason: async (tenantId) => releases.hindrance ?? (await rollouts.hindranceOf(tenantId)),
  });
  return {
    feature: autoUpdatesFeature,
    routes: [],
    jobs: [{ name: "auto-updates.look", everyMs: hours(1), run: (signal) => beginUpdates(needs, signal) }],
  };
}
