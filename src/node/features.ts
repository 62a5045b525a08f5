import type { ContextFeature } from "../kernel/feature.ts";
import { announcedFeature } from "./announced.ts";
import { appsFeatures } from "./apps/wire.ts";
import type { NodeContext } from "./context.ts";
import type { EventMeaning, NodeFeature } from "./event-meaning.ts";
import { monitoringFeatures } from "./monitoring/wire.ts";
import { panelLinkFeatures } from "./panel-link/wire.ts";
import { peopleFeatures } from "./people/wire.ts";
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
  operations,
  events,
  timeline,
  webhooks,
  releaseNotes,
  plans,
  setup,
  dashboards,
];

/** The static halves of every feature of the node, in boot order. */
export const nodeFeatures: readonly NodeFeature[] = [
  ...platformFeatures,
  ...peopleFeatures,
  ...appsFeatures,
  ...monitoringFeatures,
  ...contextFeatures,
  ...panelLinkFeatures,
  announcedFeature,
];
