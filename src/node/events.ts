import type { AppEvents } from "./apps/apps/contract.ts";
import type { RuntimeEvents } from "./apps/runtime/contract.ts";
import type { AlertChannelEvents } from "./monitoring/alert-channels/contract.ts";
import type { AlertingEvents } from "./monitoring/alerting/contract.ts";
import type { DiskEvents } from "./monitoring/disks/contract.ts";
import type { InsightEvents } from "./monitoring/insights/contract.ts";
import type { MaintenanceEvents } from "./monitoring/maintenance/contract.ts";
import type { MetricsEvents } from "./monitoring/metrics/contract.ts";
import type { PanelLinkEvents } from "./panel-link/panel-link/contract.ts";
import type { PeopleEvents } from "./people/wire.ts";
import type { OperationEvents } from "./platform/operations/contract.ts";
import type { SettingsEvents } from "./platform/settings/contract.ts";
import type { TimelineEvents } from "./platform/timeline/contract.ts";
import type { WebhookEvents } from "./platform/webhooks/contract.ts";

/** Every event of the node's bus. */
export type NodeEvents = AppEvents &
  AlertChannelEvents &
  PeopleEvents &
  InsightEvents &
  TimelineEvents &
  WebhookEvents &
  DiskEvents &
  SettingsEvents &
  OperationEvents &
  RuntimeEvents &
  MetricsEvents &
  MaintenanceEvents &
  AlertingEvents &
  PanelLinkEvents;
