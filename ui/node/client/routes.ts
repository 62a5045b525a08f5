import type { AppFilesApi } from "../../../src/node/apps/app-files/contract.ts";
import type { AppLogsApi } from "../../../src/node/apps/app-logs/contract.ts";
import type { AppStatsApi } from "../../../src/node/apps/app-stats/contract.ts";
import type { AppsApi } from "../../../src/node/apps/apps/contract.ts";
import type { ComposeProjectsApi } from "../../../src/node/apps/compose-projects/contract.ts";
import type { ContainersApi } from "../../../src/node/apps/containers/contract.ts";
import type { RegistryApi } from "../../../src/node/apps/registries/contract.ts";
import type { RuntimeApi } from "../../../src/node/apps/runtime/contract.ts";
import type { TemplatesApi } from "../../../src/node/apps/templates/contract.ts";
import type { TerminalApi } from "../../../src/node/apps/terminals/contract.ts";
import type { BackupApi } from "../../../src/node/backups/backups/contract.ts";
import type { DropOffApi } from "../../../src/node/backups/drop-offs/contract.ts";
import type { ResticApi } from "../../../src/node/backups/restic/contract.ts";
import type { ComponentsApi } from "../../../src/node/host/components/contract.ts";
import type { HostTerminalApi } from "../../../src/node/host/host-terminals/contract.ts";
import type { AlertChannelApi } from "../../../src/node/monitoring/alert-channels/contract.ts";
import type { AlertingApi } from "../../../src/node/monitoring/alerting/contract.ts";
import type { BaselinesApi } from "../../../src/node/monitoring/baselines/contract.ts";
import type { CostApi } from "../../../src/node/monitoring/cost/contract.ts";
import type { DiskApi } from "../../../src/node/monitoring/disks/contract.ts";
import type { InsightsApi } from "../../../src/node/monitoring/insights/contract.ts";
import type { LogForwarderApi } from "../../../src/node/monitoring/log-forwarders/contract.ts";
import type { LogApi } from "../../../src/node/monitoring/logs/contract.ts";
import type { MaintenanceApi } from "../../../src/node/monitoring/maintenance/contract.ts";
import type { MetricsApi } from "../../../src/node/monitoring/metrics/contract.ts";
import type { SystemApi } from "../../../src/node/monitoring/system/contract.ts";
import type { PanelLinkApi } from "../../../src/node/panel-link/panel-link/contract.ts";
import type { ApprovalApi } from "../../../src/node/people/approvals/contract.ts";
import type { AuthApi } from "../../../src/node/people/auth/contract.ts";
import type { AvatarApi } from "../../../src/node/people/avatars/contract.ts";
import type { DavPasswordApi } from "../../../src/node/people/dav-passwords/contract.ts";
import type { InviteApi } from "../../../src/node/people/invites/contract.ts";
import type { KeyApi } from "../../../src/node/people/keys/contract.ts";
import type { LockApi } from "../../../src/node/people/lock/contract.ts";
import type { LockInfoApi } from "../../../src/node/people/lock-info/contract.ts";
import type { PairedDeviceApi } from "../../../src/node/people/paired-devices/contract.ts";
import type { PasskeyApi } from "../../../src/node/people/passkeys/contract.ts";
import type { ProfileApi } from "../../../src/node/people/profile/contract.ts";
import type { QrApi } from "../../../src/node/people/qr/contract.ts";
import type { SessionApi } from "../../../src/node/people/sessions/contract.ts";
import type { TotpApi } from "../../../src/node/people/totp/contract.ts";
import type { UserApi } from "../../../src/node/people/users/contract.ts";
import type { AuditApi } from "../../../src/node/platform/audit/contract.ts";
import type { DashboardApi } from "../../../src/node/platform/dashboards/contract.ts";
import type { OperationApi } from "../../../src/node/platform/operations/contract.ts";
import type { PlansApi } from "../../../src/node/platform/plans/contract.ts";
import type { ReleaseNotesApi } from "../../../src/node/platform/release-notes/contract.ts";
import type { SettingsApi } from "../../../src/node/platform/settings/contract.ts";
import type { SetupApi } from "../../../src/node/platform/setup/contract.ts";
import type { TimelineApi } from "../../../src/node/platform/timeline/contract.ts";
import type { WebhookApi } from "../../../src/node/platform/webhooks/contract.ts";
import type { DriveApi } from "../../../src/node/storage/drive/contract.ts";
import type { MigrationApi } from "../../../src/node/storage/object-migration/contract.ts";
import type { PlaceApi } from "../../../src/node/storage/object-places/contract.ts";
import type { ObjectsApi } from "../../../src/node/storage/objects/contract.ts";
import type { SharesApi } from "../../../src/node/storage/shares/contract.ts";
import type { InOf, OutOf, RouteOf } from "../../client/call.ts";

/** Each call the dashboard makes: what goes in as JSON (`in`), what comes back (`out`). A line for each feature. */
export type Routes = AlertingApi &
  AlertChannelApi &
  ApprovalApi &
  AppFilesApi &
  AppLogsApi &
  AppsApi &
  AppStatsApi &
  AuditApi &
  AuthApi &
  AvatarApi &
  BackupApi &
  BaselinesApi &
  ComponentsApi &
  ContainersApi &
  CostApi &
  DashboardApi &
  DavPasswordApi &
  DiskApi &
  DriveApi &
  DropOffApi &
  SharesApi &
  HostTerminalApi &
  InsightsApi &
  InviteApi &
  KeyApi &
  LockApi &
  LogApi &
  LogForwarderApi &
  LockInfoApi &
  MaintenanceApi &
  MetricsApi &
  PlaceApi &
  ObjectsApi &
  MigrationApi &
  OperationApi &
  PairedDeviceApi &
  PanelLinkApi &
  PasskeyApi &
  ProfileApi &
  QrApi &
  ComposeProjectsApi &
  RegistryApi &
  ReleaseNotesApi &
  ResticApi &
  RuntimeApi &
  SessionApi &
  SettingsApi &
  SetupApi &
  PlansApi &
  SystemApi &
  TemplatesApi &
  TerminalApi &
  TimelineApi &
  TotpApi &
  UserApi &
  WebhookApi;

/** A method and path of the API, exactly as the specification writes it. */
export type Route = RouteOf<Routes>;

/** The JSON body that a route takes; `undefined` when it takes none. */
export type In<R extends Route> = InOf<Routes, R>;

/** The JSON that a route answers. */
export type Out<R extends Route> = OutOf<Routes, R>;
