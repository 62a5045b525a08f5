import type { appsFeatures } from "./apps/wire.ts";
import type { EventsOf } from "./event-meaning.ts";
import type { AlertChannelEvents } from "./monitoring/alert-channels/contract.ts";
import type { AlertingEvents } from "./monitoring/alerting/contract.ts";
import type { DiskEvents } from "./monitoring/disks/contract.ts";
import type { InsightEvents } from "./monitoring/insights/contract.ts";
import type { MaintenanceEvents } from "./monitoring/maintenance/contract.ts";
import type { MetricsEvents } from "./monitoring/metrics/contract.ts";
import type { panelLinkFeatures } from "./panel-link/wire.ts";
import type { peopleFeatures } from "./people/wire.ts";
import type { platformFeatures } from "./platform/wire.ts";

/** Every event of the node's bus. */
export type NodeEvents = EventsOf<typeof platformFeatures> &
  EventsOf<typeof peopleFeatures> &
  EventsOf<typeof appsFeatures> &
  EventsOf<typeof panelLinkFeatures> &
  AlertChannelEvents &
  InsightEvents &
  DiskEvents &
  MetricsEvents &
  MaintenanceEvents &
  AlertingEvents;
