/** The static halves of the node's features: migrations, errors, settings and the meaning of events, before anything runs. */
import { announcedFeature } from "./announced.ts";
import { appsFeatures } from "./apps/wire.ts";
import { backupsFeatures } from "./backups/wire.ts";
import type { EventsOf, NodeFeature } from "./event-meaning.ts";
import { hostFeatures } from "./host/wire.ts";
import { monitoringFeatures } from "./monitoring/wire.ts";
import { panelLinkFeatures } from "./panel-link/wire.ts";
import { peopleFeatures } from "./people/wire.ts";
import { platformFeatures } from "./platform/wire.ts";
import { storageFeatures } from "./storage/wire.ts";

/** Every feature of the node, in boot order. */
export const nodeFeatures: readonly NodeFeature[] = [
  ...platformFeatures,
  ...peopleFeatures,
  ...hostFeatures,
  ...storageFeatures,
  ...appsFeatures,
  ...monitoringFeatures,
  ...backupsFeatures,
  ...panelLinkFeatures,
  announcedFeature,
];

/** Every event of the node's bus. */
export type NodeEvents = EventsOf<typeof platformFeatures> &
  EventsOf<typeof peopleFeatures> &
  EventsOf<typeof hostFeatures> &
  EventsOf<typeof storageFeatures> &
  EventsOf<typeof appsFeatures> &
  EventsOf<typeof monitoringFeatures> &
  EventsOf<typeof backupsFeatures> &
  EventsOf<typeof panelLinkFeatures>;
