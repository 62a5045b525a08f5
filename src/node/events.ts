import type { appsFeatures } from "./apps/wire.ts";
import type { EventsOf } from "./event-meaning.ts";
import type { AlertChannelEvents } from "./monitoring/alert-channels/contract.ts";
import type { AlertingEvents } from "./monitoring/alerting/contract.ts";
import type { DiskEvents } from "./monitoring/disks/contract.ts";
import type { InsightEvents } from "./monitoring/insights/contract.ts";
import type { MaintenanceEvents } from "./monitoring/maintenance/contract.ts";
import type { MetricsEvents } from "./monitoring/metrics/contract.ts";
import type { panelLinkFeatures } from "./panel-link/wire.ts";
import type { ApprovalEvents } from "./people/approvals/contract.ts";
import type { AuthEvents } from "./people/auth/contract.ts";
import type { AvatarEvents } from "./people/avatars/contract.ts";
import type { InviteEvents } from "./people/invites/contract.ts";
import type { KeyEvents } from "./people/keys/contract.ts";
import type { LockEvents } from "./people/lock/contract.ts";
import type { PairedDeviceEvents } from "./people/paired-devices/contract.ts";
import type { PasskeyEvents } from "./people/passkeys/contract.ts";
import type { QrEvents } from "./people/qr/contract.ts";
import type { SessionEvents } from "./people/sessions/contract.ts";
import type { SignInEvents } from "./people/sign-ins/contract.ts";
import type { TotpEvents } from "./people/totp/contract.ts";
import type { UserEvents } from "./people/users/contract.ts";
import type { platformFeatures } from "./platform/wire.ts";

/** Every event of the node's bus. */
export type NodeEvents = EventsOf<typeof platformFeatures> &
  EventsOf<typeof appsFeatures> &
  EventsOf<typeof panelLinkFeatures> &
  AlertChannelEvents &
  AuthEvents &
  SignInEvents &
  SessionEvents &
  UserEvents &
  InsightEvents &
  InviteEvents &
  TotpEvents &
  PasskeyEvents &
  LockEvents &
  ApprovalEvents &
  QrEvents &
  KeyEvents &
  PairedDeviceEvents &
  AvatarEvents &
  DiskEvents &
  MetricsEvents &
  MaintenanceEvents &
  AlertingEvents;
