import type { Feature } from "../kernel/feature.ts";
import type { NodeContext } from "./context.ts";
import { alertChannels } from "./features/alert-channels/index.ts";
import { alerting } from "./features/alerting/index.ts";
import { appLogs } from "./features/app-logs/index.ts";
import { appStats } from "./features/app-stats/index.ts";
import { approvals } from "./features/approvals/index.ts";
import { apps } from "./features/apps/index.ts";
import { audit } from "./features/audit/index.ts";
import { auth } from "./features/auth/index.ts";
import { avatars } from "./features/avatars/index.ts";
import { baselines } from "./features/baselines/index.ts";
import { cost } from "./features/cost/index.ts";
import { dashboards } from "./features/dashboards/index.ts";
import { disks } from "./features/disks/index.ts";
import { events } from "./features/events/index.ts";
import { insights } from "./features/insights/index.ts";
import { invites } from "./features/invites/index.ts";
import { keys } from "./features/keys/index.ts";
import { lock } from "./features/lock/index.ts";
import { lockInfo } from "./features/lock-info/index.ts";
import { maintenance } from "./features/maintenance/index.ts";
import { metrics } from "./features/metrics/index.ts";
import { operations } from "./features/operations/index.ts";
import { pairedDevices } from "./features/paired-devices/index.ts";
import { panelLink } from "./features/panel-link/index.ts";
import { panelSignIn } from "./features/panel-sign-in/index.ts";
import { passkeys } from "./features/passkeys/index.ts";
import { plans } from "./features/plans/index.ts";
import { profile } from "./features/profile/index.ts";
import { qr } from "./features/qr/index.ts";
import { releaseNotes } from "./features/release-notes/index.ts";
import { runtime } from "./features/runtime/index.ts";
import { sessions } from "./features/sessions/index.ts";
import { settings } from "./features/settings/index.ts";
import { setup } from "./features/setup/index.ts";
import { signIns } from "./features/sign-ins/index.ts";
import { system } from "./features/system/index.ts";
import { templates } from "./features/templates/index.ts";
import { timeline } from "./features/timeline/index.ts";
import { totp } from "./features/totp/index.ts";
import { users } from "./features/users/index.ts";
import { webhooks } from "./features/webhooks/index.ts";

/** Every feature of the node in boot order; this list is the only registration there is. */
export const nodeFeatures: readonly Feature<NodeContext>[] = [
  settings,
  audit,
  sessions,
  users,
  signIns,
  keys,
  pairedDevices,
  totp,
  passkeys,
  lock,
  auth,
  approvals,
  qr,
  invites,
  operations,
  events,
  timeline,
  runtime,
  templates,
  apps,
  appLogs,
  appStats,
  system,
  webhooks,
  alertChannels,
  metrics,
  baselines,
  insights,
  cost,
  disks,
  maintenance,
  alerting,
  panelLink,
  panelSignIn,
  releaseNotes,
  plans,
  lockInfo,
  setup,
  profile,
  avatars,
  dashboards,
];
