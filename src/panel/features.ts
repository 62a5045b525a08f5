/** The static halves of the panel's features: migrations, errors and the meaning of events, before anything runs. */
import { agentFeatures } from "./agents/wire.ts";
import { changeFeatures } from "./changes/wire.ts";
import type { EventsOf, PanelFeature } from "./event-meaning.ts";
import { fleetFeatures } from "./fleet/wire.ts";
import { peopleFeatures } from "./people/wire.ts";
import { platformFeatures } from "./platform/wire.ts";

/** Every feature of the panel, in boot order. */
export const panelFeatures: readonly PanelFeature[] = [
  ...platformFeatures,
  ...peopleFeatures,
  ...agentFeatures,
  ...fleetFeatures,
  ...changeFeatures,
];

/** Every event of the panel's bus. */
export type PanelEvents = EventsOf<typeof peopleFeatures> &
  EventsOf<typeof agentFeatures> &
  EventsOf<typeof fleetFeatures> &
  EventsOf<typeof changeFeatures>;
