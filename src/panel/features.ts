import type { Feature } from "../kernel/feature.ts";
import type { PanelContext } from "./context.ts";
import { accounts } from "./features/accounts/index.ts";
import { audit } from "./features/audit/index.ts";
import { auditLog } from "./features/audit-log/index.ts";
import { commands } from "./features/commands/index.ts";
import { fleet } from "./features/fleet/index.ts";
import { fleetGroups } from "./features/fleet-groups/index.ts";
import { fleetOverview } from "./features/fleet-overview/index.ts";
import { fleetRecords } from "./features/fleet-records/index.ts";
import { health } from "./features/health/index.ts";
import { nodeNotices } from "./features/node-notices/index.ts";
import { nodes } from "./features/nodes/index.ts";
import { oauth } from "./features/oauth/index.ts";
import { onboarding } from "./features/onboarding/index.ts";
import { releaseNotes } from "./features/release-notes/index.ts";
import { sessions } from "./features/sessions/index.ts";
import { team } from "./features/team/index.ts";
import { tenants } from "./features/tenants/index.ts";
import { workspaceSettings } from "./features/workspace-settings/index.ts";
import { workspaces } from "./features/workspaces/index.ts";
import { live } from "./live/feature.ts";

/** Every feature of the panel, in boot order. */
export const panelFeatures: readonly Feature<PanelContext>[] = [
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
