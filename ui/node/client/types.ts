/** Shapes of the node's API: those of the features' contracts, and a few that only the dashboard names. */
import type { AppDetail } from "../../../src/node/apps/apps/contract.ts";
import type { TemplateDetail } from "../../../src/node/apps/templates/contract.ts";
import type { User } from "../../../src/node/people/users/contract.ts";

export type {
  App,
  AppConfig as InstallConfig,
  AppDetail,
  AppSecret,
  AppService,
  AppStatus,
  InstallPlan as Plan,
  InstallResult,
  PlanCheck,
  TrashedApp,
} from "../../../src/node/apps/apps/contract.ts";
export type { RuntimeStatus as Runtime } from "../../../src/node/apps/runtime/contract.ts";
export type { Category, Template, TemplateDetail } from "../../../src/node/apps/templates/contract.ts";
export type {
  Channel as AlertChannel,
  Delivery as AlertDelivery,
  Preview as AlertPreview,
  Template as AlertTemplate,
  TemplateList as AlertTemplateList,
  TestResult as ChannelTest,
} from "../../../src/node/monitoring/alert-channels/contract.ts";
export type {
  AlertEvent,
  AlertRule,
  RuleInput,
  RulePreview,
  RuleTargets,
} from "../../../src/node/monitoring/alerting/contract.ts";
export type { Anomaly, Baseline, MetricPrediction } from "../../../src/node/monitoring/baselines/contract.ts";
export type {
  AppCost,
  CostRecommendations,
  CostSettings,
  CostSummary,
  CostTrends,
  Recommendation,
} from "../../../src/node/monitoring/cost/contract.ts";
export type { DiskDetail, DiskHealthEntry, PhysicalDisk } from "../../../src/node/monitoring/disks/contract.ts";
export type {
  DiskForecast,
  Insights,
  MetricForecasts,
  Prediction,
  ResourceForecast,
} from "../../../src/node/monitoring/insights/contract.ts";
export type {
  MaintenanceInput,
  MaintenanceWindow,
} from "../../../src/node/monitoring/maintenance/contract.ts";
export type {
  AppMetrics,
  HistoryRange,
  MetricsRange,
  NetworkInterface,
  RecentSamples,
} from "../../../src/node/monitoring/metrics/contract.ts";
export type {
  FilesystemEntry as Filesystem,
  LiveMetrics as LiveSample,
} from "../../../src/node/monitoring/system/contract.ts";
export type { PanelStatus } from "../../../src/node/panel-link/panel-link/contract.ts";
export type { PendingApproval } from "../../../src/node/people/approvals/contract.ts";
export type { Me } from "../../../src/node/people/auth/contract.ts";
export type { Invite } from "../../../src/node/people/invites/contract.ts";
export type { Key, KeyCreated } from "../../../src/node/people/keys/contract.ts";
export type { LockInfo } from "../../../src/node/people/lock-info/contract.ts";
export type { PairedDevice, Pairing } from "../../../src/node/people/paired-devices/contract.ts";
export type { Passkey } from "../../../src/node/people/passkeys/contract.ts";
export type { Preferences } from "../../../src/node/people/profile/contract.ts";
export type { Session } from "../../../src/node/people/sessions/contract.ts";
export type { User } from "../../../src/node/people/users/contract.ts";
export type { AuditEntry } from "../../../src/node/platform/audit/contract.ts";
export type { Widget } from "../../../src/node/platform/dashboards/contract.ts";
export type { NodeMode } from "../../../src/node/platform/identity/contract.ts";
export type { Operation } from "../../../src/node/platform/operations/contract.ts";
export type { PlanOverview } from "../../../src/node/platform/plans/contract.ts";
export type { FeatureTour, ReleaseNote } from "../../../src/node/platform/release-notes/contract.ts";
export type { Setting } from "../../../src/node/platform/settings/contract.ts";
export type { NodeSetupResult } from "../../../src/node/platform/setup/contract.ts";
export type {
  InboxItem,
  TimelineCategory,
  TimelineEntry,
} from "../../../src/node/platform/timeline/contract.ts";
export type {
  Delivery,
  DeliveryDetail,
  SecretRotated,
  Webhook,
  WebhookCreated,
  WebhookHealth,
} from "../../../src/node/platform/webhooks/contract.ts";

export type Role = User["role"];
export type TemplateInput = TemplateDetail["inputs"][number];
export type FirstRun = AppDetail["first_run"];

/** Answer to a sign-in: a session, or the request for a second factor. */
export interface LoginReply {
  user?: User;
  totp_required?: boolean;
  temp_token?: string;
}

/** What an app uses now; `cpu_percent` 100 is one core. */
export interface AppStats {
  app_id: string;
  cpu_percent: number;
  memory_usage_mb: number;
  memory_limit_mb: number;
  network_rx_bytes: number;
  network_tx_bytes: number;
  disk_usage_mb: number;
  services: { name: string; cpu_percent: number; memory_usage_mb: number }[];
}

/** One line of an app's log. */
export interface LogLine {
  at: string;
  service: string;
  stream: "stdout" | "stderr";
  level: "debug" | "info" | "warn" | "error" | null;
  text: string;
}
