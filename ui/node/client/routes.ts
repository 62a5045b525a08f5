import type { AlertChannelApi } from "../../../src/node/features/alert-channels/contract.ts";
import type { AlertingApi } from "../../../src/node/features/alerting/contract.ts";
import type { ApprovalApi } from "../../../src/node/features/approvals/contract.ts";
import type { AppsApi } from "../../../src/node/features/apps/contract.ts";
import type { AuditApi } from "../../../src/node/features/audit/contract.ts";
import type { AuthApi } from "../../../src/node/features/auth/contract.ts";
import type { AvatarApi } from "../../../src/node/features/avatars/contract.ts";
import type { BaselinesApi } from "../../../src/node/features/baselines/contract.ts";
import type { CostApi } from "../../../src/node/features/cost/contract.ts";
import type { DashboardApi } from "../../../src/node/features/dashboards/contract.ts";
import type { DiskApi } from "../../../src/node/features/disks/contract.ts";
import type { InsightsApi } from "../../../src/node/features/insights/contract.ts";
import type { InviteApi } from "../../../src/node/features/invites/contract.ts";
import type { KeyApi } from "../../../src/node/features/keys/contract.ts";
import type { LockApi } from "../../../src/node/features/lock/contract.ts";
import type { LockInfoApi } from "../../../src/node/features/lock-info/contract.ts";
import type { MaintenanceApi } from "../../../src/node/features/maintenance/contract.ts";
import type { MetricsApi } from "../../../src/node/features/metrics/contract.ts";
import type { OperationApi } from "../../../src/node/features/operations/contract.ts";
import type { PairedDeviceApi } from "../../../src/node/features/paired-devices/contract.ts";
import type { PanelLinkApi } from "../../../src/node/features/panel-link/contract.ts";
import type { PasskeyApi } from "../../../src/node/features/passkeys/contract.ts";
import type { PlansApi } from "../../../src/node/features/plans/contract.ts";
import type { ProfileApi } from "../../../src/node/features/profile/contract.ts";
import type { QrApi } from "../../../src/node/features/qr/contract.ts";
import type { ReleaseNotesApi } from "../../../src/node/features/release-notes/contract.ts";
import type { RuntimeApi } from "../../../src/node/features/runtime/contract.ts";
import type { SessionApi } from "../../../src/node/features/sessions/contract.ts";
import type { SettingsApi } from "../../../src/node/features/settings/contract.ts";
import type { SetupApi } from "../../../src/node/features/setup/contract.ts";
import type { SystemApi } from "../../../src/node/features/system/contract.ts";
import type { TemplatesApi } from "../../../src/node/features/templates/contract.ts";
import type { TimelineApi } from "../../../src/node/features/timeline/contract.ts";
import type { TotpApi } from "../../../src/node/features/totp/contract.ts";
import type { UserApi } from "../../../src/node/features/users/contract.ts";
import type { WebhookApi } from "../../../src/node/features/webhooks/contract.ts";
import type { InOf, OutOf, RouteOf } from "../../client/call.ts";
import type { AppStats, LoginReply, LogLine } from "./types.ts";

/** Calls whose answer has more forms than their contract's schema says. */
interface OwnRoutes {
  "POST /api/auth/login": { in: { username: string; password: string }; out: LoginReply };
  "POST /api/auth/totp/verify": { in: { temp_token?: string; code: string }; out: LoginReply };
  "POST /api/auth/passkeys/login/begin": { out: Challenge<PublicKeyCredentialRequestOptionsJSON> };
  "POST /api/auth/passkeys/login/finish": { in: PasskeyProof; out: LoginReply };
  "POST /api/auth/passkeys/register/begin": { out: Challenge<PublicKeyCredentialCreationOptionsJSON> };
  "POST /api/auth/passkeys/register/finish": { in: PasskeyProof & { name: string }; out: { id: string; name: string } };
  "POST /api/auth/unlock": { in: { password: string } | { passkey: PasskeyProof }; out: LoginReply };
  "GET /api/apps/{id}/logs": { out: { lines: LogLine[] } };
  "GET /api/apps/{id}/stats": { out: AppStats };
}

interface Challenge<T> {
  session_id: string;
  options: { publicKey: T };
}

/** What the browser made of a challenge; the credential is passed on as it came. */
export interface PasskeyProof {
  session_id: string;
  credential: unknown;
}

type ContractRoutes = AlertingApi &
  AlertChannelApi &
  ApprovalApi &
  AppsApi &
  AuditApi &
  AuthApi &
  AvatarApi &
  BaselinesApi &
  CostApi &
  DashboardApi &
  DiskApi &
  InsightsApi &
  InviteApi &
  KeyApi &
  LockApi &
  LockInfoApi &
  MaintenanceApi &
  MetricsApi &
  OperationApi &
  PairedDeviceApi &
  PanelLinkApi &
  PasskeyApi &
  ProfileApi &
  QrApi &
  ReleaseNotesApi &
  RuntimeApi &
  SessionApi &
  SettingsApi &
  SetupApi &
  PlansApi &
  SystemApi &
  TemplatesApi &
  TimelineApi &
  TotpApi &
  UserApi &
  WebhookApi;

/** Each call the dashboard makes: what goes in as JSON (`in`), what comes back (`out`). */
export type Routes = OwnRoutes & Omit<ContractRoutes, keyof OwnRoutes>;

/** A method and path of the API, exactly as the specification writes it. */
export type Route = RouteOf<Routes>;

/** The JSON body that a route takes; `undefined` when it takes none. */
export type In<R extends Route> = InOf<Routes, R>;

/** The JSON that a route answers. */
export type Out<R extends Route> = OutOf<Routes, R>;
