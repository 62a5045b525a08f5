/** The platform of a node: what every other area stands on. */
import type { Part } from "../../kernel/feature.ts";
import type { NodeBase } from "../base.ts";
import type { NodeFeature } from "../event-meaning.ts";
import { auditFeature, createAudit } from "./audit/index.ts";
import { createDashboards, dashboardsFeature } from "./dashboards/index.ts";
import { createEvents, eventsFeature } from "./events/index.ts";
import { createIdentity, identityFeature } from "./identity/index.ts";
import { createOperations, operationsFeature } from "./operations/index.ts";
import type { Needs as OperationsNeeds } from "./operations/needs.ts";
import { createPlans, plansFeature } from "./plans/index.ts";
import { createReleaseNotes, releaseNotesFeature } from "./release-notes/index.ts";
import { createSettingsPart, settingsFeature } from "./settings/index.ts";
import type { Needs as SettingsNeeds } from "./settings/needs.ts";
import { createSetup, setupFeature } from "./setup/index.ts";
import { createTimeline, timelineFeature } from "./timeline/index.ts";
import type { Needs as TimelineNeeds } from "./timeline/needs.ts";
import { createWebhooks, webhooksFeature } from "./webhooks/index.ts";
import type { Needs as WebhooksNeeds } from "./webhooks/needs.ts";

/** The static halves of the area, in boot order. */
export const platformFeatures = [
  settingsFeature,
  identityFeature,
  auditFeature,
  operationsFeature,
  eventsFeature,
  timelineFeature,
  webhooksFeature,
  releaseNotesFeature,
  plansFeature,
  setupFeature,
  dashboardsFeature,
] as const satisfies readonly NodeFeature[];

type Needs = NodeBase & SettingsNeeds & OperationsNeeds & Pick<TimelineNeeds, "bus"> & Pick<WebhooksNeeds, "bus">;

/** Makes the features of the area; the order of the lines is the boot order. */
export function wirePlatform(base: Needs) {
  const settings = createSettingsPart(base);
  const identity = createIdentity(base);
  const audit = createAudit(base);
  const operations = createOperations(base);
  const events = createEvents(base);
  const timeline = createTimeline({ ...base, hub: events.hub });
  const webhooks = createWebhooks({ ...base, identity });
  const releaseNotes = createReleaseNotes(base);
  const plans = createPlans(base);
  const setup = createSetup(base);
  const dashboards = createDashboards(base);
  const parts: readonly Part[] = [
    settings,
    identity,
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
  return { identity, operations, events, timeline, webhooks, releaseNotes, plans, parts };
}
