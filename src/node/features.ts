import type { ContextFeature } from "../kernel/feature.ts";
import { announcedFeature } from "./announced.ts";
import { appsFeatures } from "./apps/wire.ts";
import type { NodeContext } from "./context.ts";
import type { EventMeaning, NodeFeature } from "./event-meaning.ts";
import { monitoringFeatures } from "./monitoring/wire.ts";
import { panelLink } from "./panel-link/panel-link/index.ts";
import { panelSignIn } from "./panel-link/panel-sign-in/index.ts";
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
import { audit } from "./platform/audit/index.ts";
import { dashboards } from "./platform/dashboards/index.ts";
import { events } from "./platform/events/index.ts";
import { operations } from "./platform/operations/index.ts";
import { plans } from "./platform/plans/index.ts";
import { releaseNotes } from "./platform/release-notes/index.ts";
import { setup } from "./platform/setup/index.ts";
import { timeline } from "./platform/timeline/index.ts";
import { webhooks } from "./platform/webhooks/index.ts";
import { platformFeatures } from "./platform/wire.ts";

/** Features that are given the whole context, in boot order. */
export const contextFeatures: readonly ContextFeature<NodeContext, EventMeaning>[] = [
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
  webhooks,
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

/** The static halves of every feature of the node, in boot order. */
export const nodeFeatures: readonly NodeFeature[] = [
  ...platformFeatures,
  ...appsFeatures,
  ...monitoringFeatures,
  ...contextFeatures,
  announcedFeature,
];
