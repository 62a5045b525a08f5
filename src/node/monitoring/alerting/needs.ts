import type { Bus } from "../../../kernel/bus.ts";
import type { Actor } from "../../actor.ts";
import type { NodeBase } from "../../base.ts";
import type { AlertChannels } from "../alert-channels/index.ts";
import type { Baselines } from "../baselines/index.ts";
import type { Maintenance } from "../maintenance/index.ts";
import type { Series } from "../metrics/index.ts";
import type { AlertingEvents } from "./contract.ts";
import type { WatchedBook } from "./watched/watched.ts";

/** What knows of everything that was done on this server, whatever it is. */
export interface ChangeLog {
  /**
   * What was done to a thing or to the server below it in [since, until) (ms), newest first: all of it, or with `actor` what
   * that one may see. `outside` is what may leave the server of it.
   */
  listChanges(
    query: { kind: string; id: string; since: number; until: number },
    actor: Pick<Actor, "role" | "user_id"> | null,
  ): { at: string; title: string; outside: string; link: string | null }[];
}

/** What alerting needs. */
export interface Needs extends NodeBase {
  bus: Bus<AlertingEvents>;
  series: Series;
  baselines: Pick<Baselines, "metricName" | "scoreNow" | "describe" | "replay">;
  maintenance: Pick<Maintenance, "createHold">;
  timeline: ChangeLog;
  channels: Pick<AlertChannels, "enqueue" | "findUnknown">;
}

/** That, and what the feature keeps for itself. */
export interface Own extends Needs {
  watched: WatchedBook;
}
