/** Shapes of the node's API: those of the features' contracts, and a few that only the dashboard names. */
import type { AppDetail } from "../../../src/node/features/apps/contract.ts";
import type { TemplateDetail } from "../../../src/node/features/templates/contract.ts";
import type { User } from "../../../src/node/features/users/contract.ts";

export type {
  Channel as AlertChannel,
  Delivery as AlertDelivery,
  Preview as AlertPreview,
  Template as AlertTemplate,
  TemplateList as AlertTemplateList,
  TestResult as ChannelTest,
} from "../../../src/node/features/alert-channels/contract.ts";
export type {
  AlertEvent,
  AlertRule,
  RuleInput,
  RulePreview,
  RuleTargets,
} from "../../../src/node/features/alerting/contract.ts";
export type { PendingApproval } from "../../../src/node/features/approvals/contract.ts";
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
} from "../../../src/node/features/apps/contract.ts";
export type { AuditEntry } from "../../../src/node/features/audit/contract.ts";
export type { Me } from "../../../src/node/features/auth/contract.ts";
export type { Anomaly, Baseline, MetricPrediction } from "../../../src/node/features/baselines/contract.ts";
export type {
  AppCost,
  CostRecommendations,
  CostSettings,
  CostSummary,
  CostTrends,
  Recommendation,
} from "../../../src/node/features/cost/contract.ts";
export type { Widget } from "../../../src/node/features/dashboards/contract.ts";
export type { DiskDetail, DiskHealthEntry, PhysicalDisk } from "../../../src/node/features/disks/contract.ts";
export type {
  DiskForecast,
  Insights,
  MetricForecasts,
  Prediction,
  ResourceForecast,
} from "../../../src/node/features/insights/contract.ts";
export type { Invite } from "../../../src/node/features/invites/contract.ts";
export type { Key, KeyCreated } from "../../../src/node/features/keys/contract.ts";
export type { LockInfo } from "../../../src/node/features/lock-info/contract.ts";
export type {
  MaintenanceInput,
  MaintenanceWindow,
} from "../../../src/node/features/maintenance/contract.ts";
export type {
  AppMetrics,
  HistoryRange,
  MetricsRange,
  NetworkInterface,
  RecentSamples,
} from "../../../src/node/features/metrics/contract.ts";
export type { Operation } from "../../../src/node/features/operations/contract.ts";
export type { PairedDevice, Pairing } from "../../../src/node/features/paired-devices/contract.ts";
export type { PanelStatus } from "../../../src/node/features/panel-link/contract.ts";
export type { Passkey } from "../../../src/node/features/passkeys/contract.ts";
export type { PlanOverview } from "../../../src/node/features/plans/contract.ts";
export type { Preferences } from "../../../src/node/features/profile/contract.ts";
export type { FeatureTour, ReleaseNote } from "../../../src/node/features/release-notes/contract.ts";
export type { RuntimeStatus as Runtime } from "../../../src/node/features/runtime/contract.ts";
export type { Session } from "../../../src/node/features/sessions/contract.ts";
export type { Setting } from "../../../src/node/features/settings/contract.ts";
export type { NodeSetupResult } from "../../../src/node/features/setup/contract.ts";
export type {
  FilesystemEntry as Filesystem,
  LiveMetrics as LiveSample,
  NodeMode,
} from "../../../src/node/features/system/contract.ts";
export type { Category, Template, TemplateDetail } from "../../../src/node/features/templates/contract.ts";
export type {
  InboxItem,
  TimelineCategory,
  TimelineEntry,
} from "../../../src/node/features/timeline/contract.ts";
export type { User } from "../../../src/node/features/users/contract.ts";
export type {
  Delivery,
  DeliveryDetail,
  SecretRotated,
  Webhook,
  WebhookCreated,
  WebhookHealth,
} from "../../../src/node/features/webhooks/contract.ts";

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
