import type { ContextFeature } from "../kernel/feature.ts";
import { live } from "./agents/live/feature.ts";
import { nodes } from "./agents/nodes/index.ts";
import { commands } from "./changes/commands/index.ts";
import type { PanelContext } from "./context.ts";
import { fleet } from "./fleet/fleet/index.ts";
import { fleetGroups } from "./fleet/fleet-groups/index.ts";
import { fleetOverview } from "./fleet/fleet-overview/index.ts";
import { fleetRecords } from "./fleet/fleet-records/index.ts";
import { nodeNotices } from "./fleet/node-notices/index.ts";
import { oauth } from "./fleet/oauth/index.ts";
import { onboarding } from "./fleet/onboarding/index.ts";
import { accounts } from "./people/accounts/index.ts";
import { sessions } from "./people/sessions/index.ts";
import { team } from "./people/team/index.ts";
import { tenants } from "./people/tenants/index.ts";
import { workspaceSettings } from "./people/workspace-settings/index.ts";
import { workspaces } from "./people/workspaces/index.ts";
import { audit } from "./platform/audit/index.ts";
import { auditLog } from "./platform/audit-log/index.ts";
import { health } from "./platform/health/index.ts";
import { releaseNotes } from "./platform/release-notes/index.ts";

/** Every feature of the panel, in boot order. */
export const panelFeatures: readonly ContextFeature<PanelContext>[] = [
  health,
  releaseNotes,
  audit,
  tenants,
  sessions,
  nodes,
  live,
  oauth,
  workspaceSettings,
  accounts,
  workspaces,
  team,
  auditLog,
  fleet,
  fleetRecords,
  fleetOverview,
  fleetGroups,
  nodeNotices,
  onboarding,
  commands,
];
