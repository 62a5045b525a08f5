import type { ContextFeature } from "../kernel/feature.ts";
import { announcedFeature } from "./announced.ts";
import { appsFeatures } from "./apps/wire.ts";
import type { NodeContext } from "./context.ts";
import type { EventMeaning, NodeFeature } from "./event-meaning.ts";
import { alertChannels } from "./monitoring/alert-channels/index.ts";
import { alerting } from "./monitoring/alerting/index.ts";
import { baselines } from "./monitoring/baselines/index.ts";
import { cost } from "./monitoring/cost/index.ts";
import { disks } from "./monitoring/disks/index.ts";
import { insights } from "./monitoring/insights/index.ts";
import { maintenance } from "./monitoring/maintenance/index.ts";
import { metrics } from "./monitoring/metrics/index.ts";
import { system } from "./monitoring/system/index.ts";
import { panelLinkFeatures } from "./panel-link/wire.ts";
import { approvals } from "./people/approvals/index.ts";
import { auth } from "./people/auth/index.ts";
import { avatars } from "./people/avatars/index.ts";
import { invites } from "./people/invites/index.ts";
import { keys } from "./people/keys/index.ts";
import { lock } from "./people/lock/index.ts";
import { lockInfo } from "./people/lock-info/index.ts";
import { pairedDevices } from "./people/paired-devices/index.ts";
import { passkeys } from "./people/passkeys/index.ts";
import { profile } from "./people/profile/index.ts";
import { qr } from "./people/qr/index.ts";
import { sessions } from "./people/sessions/index.ts";
import { signIns } from "./people/sign-ins/index.ts";
import { totp } from "./people/totp/index.ts";
import { users } from "./people/users/index.ts";
import { platformFeatures } from "./platform/wire.ts";

/** Features that are given the whole context, in boot order. */
export const contextFeatures: readonly ContextFeature<NodeContext, EventMeaning>[] = [
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
  system,
  alertChannels,
  metrics,
  baselines,
  insights,
  cost,
  disks,
  maintenance,
  alerting,
  lockInfo,
  profile,
  avatars,
];

/** The static halves of every feature of the node, in boot order. */
export const nodeFeatures: readonly NodeFeature[] = [
  ...platformFeatures,
  ...appsFeatures,
  ...contextFeatures,
  ...panelLinkFeatures,
  announcedFeature,
];
