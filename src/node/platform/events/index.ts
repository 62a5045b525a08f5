/** Events: the dashboard's live stream, fed by the bus. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { seconds } from "../../../lib/duration.ts";
import type { NodeBase } from "../../base.ts";
import type { LiveLine } from "../../event-meaning.ts";
import { type Audience, createEventHub, type EventHub } from "./hub.ts";
import { bindEventRoutes } from "./routes.ts";

export type { EventHub } from "./hub.ts";

export const eventsFeature = defineFeature({ name: "events" });

export interface Events extends Part {
  /** Everybody who listens; for what is news to dashboards alone and no event of the bus. */
  hub: EventHub;
}

function audienceOf({ audience }: LiveLine): Audience {
  if (typeof audience === "object") return audience;
  return { role: audience === "admins" ? "admin" : "viewer" };
}

export function createEvents(needs: NodeBase): Events {
  const { bus, ids, meanings, db, accessChanges } = needs;
  const hub = createEventHub(ids.next("run"));
  return {
    hub,
    feature: eventsFeature,
    routes: [bindEventRoutes(needs, hub)],
    jobs: [
      {
        name: "events.look_outside",
        everyMs: seconds(1),
        // A command beside the program, such as `reset-password`, has ended sessions: their streams go with them.
        run: () => void (db.hasForeignChange() && accessChanges.changed()),
      },
    ],
    subscribe() {
      // At once with the change, before anybody's next one: what they were let in by is asked again then.
      bus.onEmit((name) => meanings.get(name)?.changesAccess && db.afterCommit(accessChanges.changed));
      bus.onAny((name, data) => {
        const line = meanings.get(name)?.live?.(data);
        if (!line) return;
        hub.publish(line.name ?? name, audienceOf(line), data);
      });
    },
  };
}
