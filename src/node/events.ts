import type { AlertChannelEvents } from "./features/alert-channels/contract.ts";
import type { AlertingEvents } from "./features/alerting/contract.ts";
import type { ApprovalEvents } from "./features/approvals/contract.ts";
import type { AppEvents } from "./features/apps/contract.ts";
import type { AuthEvents } from "./features/auth/contract.ts";
import type { AvatarEvents } from "./features/avatars/contract.ts";
import type { DiskEvents } from "./features/disks/contract.ts";
import type { InsightEvents } from "./features/insights/contract.ts";
import type { InviteEvents } from "./features/invites/contract.ts";
import type { KeyEvents } from "./features/keys/contract.ts";
import type { LockEvents } from "./features/lock/contract.ts";
import type { MaintenanceEvents } from "./features/maintenance/contract.ts";
import type { MetricsEvents } from "./features/metrics/contract.ts";
import type { OperationEvents } from "./features/operations/contract.ts";
import type { PairedDeviceEvents } from "./features/paired-devices/contract.ts";
import type { PanelLinkEvents } from "./features/panel-link/contract.ts";
import type { PasskeyEvents } from "./features/passkeys/contract.ts";
import type { QrEvents } from "./features/qr/contract.ts";
import type { RuntimeEvents } from "./features/runtime/contract.ts";
import type { SessionEvents } from "./features/sessions/contract.ts";
import type { SettingsEvents } from "./features/settings/contract.ts";
import type { SignInEvents } from "./features/sign-ins/contract.ts";
import type { TimelineEvents } from "./features/timeline/contract.ts";
import type { TotpEvents } from "./features/totp/contract.ts";
import type { UserEvents } from "./features/users/contract.ts";
import type { WebhookEvents } from "./features/webhooks/contract.ts";

/** Every event of the node's bus. */
export type NodeEvents = AppEvents &
  AlertChannelEvents &
  AuthEvents &
  SignInEvents &
  SessionEvents &
  UserEvents &
  InsightEvents &
  InviteEvents &
  TimelineEvents &
  TotpEvents &
  PasskeyEvents &
  LockEvents &
  ApprovalEvents &
  QrEvents &
  KeyEvents &
  PairedDeviceEvents &
  AvatarEvents &
  WebhookEvents &
  DiskEvents &
  SettingsEvents &
  OperationEvents &
  RuntimeEvents &
  MetricsEvents &
  MaintenanceEvents &
  AlertingEvents &
  PanelLinkEvents;
