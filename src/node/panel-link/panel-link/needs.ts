import type { Bus } from "../../../kernel/bus.ts";
import type { Limiter } from "../../../kernel/http/limit.ts";
import type { NodePlan } from "../../../shared/plans/index.ts";
import type { Apps } from "../../apps/apps/index.ts";
import type { Runtime } from "../../apps/runtime/index.ts";
import type { Terminals } from "../../apps/terminals/index.ts";
import type { NodeBase } from "../../base.ts";
import type { HostTerminals } from "../../host/host-terminals/index.ts";
import type { Logs } from "../../monitoring/logs/index.ts";
import type { Series } from "../../monitoring/metrics/index.ts";
import type { Users } from "../../people/users/index.ts";
import type { Identity } from "../../platform/identity/index.ts";
import type { ReleaseNotes } from "../../platform/release-notes/index.ts";
import type { PanelLinkEvents } from "./contract.ts";
import type { Standing } from "./standing.ts";
import type { Asks } from "./streams/asks.ts";

/** What the link to a panel needs. */
export interface Needs extends NodeBase {
  bus: Bus<PanelLinkEvents>;
  /** The accounts of those who came over the panel. */
  users: Pick<Users, "find" | "shut" | "countActiveAdmins">;
  /** Which node this is. */
  identity: Pick<Identity, "id" | "name">;
  /** Asked anew when there is another panel. */
  releaseNotes: Pick<ReleaseNotes, "fetchNow">;
  apps: Pick<
    Apps,
    "get" | "startApp" | "stopApp" | "restartApp" | "updateApp" | "rollBackApp" | "listFacts" | "listServices" | "names"
  >;
  runtime: Pick<Runtime, "engine" | "facts">;
  /** What the panel may read. */
  logs: Pick<Logs, "tail" | "containerNames">;
  /** Where its people may type. */
  terminals: Pick<Terminals, "serve">;
  hostTerminals: Pick<HostTerminals, "serve">;
  /** What was measured. */
  series: Pick<Series, "latest">;
  /** How many alerts are open. */
  alerts: { countOpen(): { open: number; critical: number } };
  /** The plan in force. */
  plan(): NodePlan;
}

/** That, and what the feature keeps for itself. */
export interface Own extends Needs {
  /** Puts on record that people of the panel lost what let them in. */
  tellPeopleEnded(event: PanelLinkEvents["panel.people_ended"]): void;
  standing: Standing;
  /** New commands of the panel. */
  commandPace: Pick<Limiter, "take">;
  /** What the panel's streams may take of this node. */
  asks: Asks;
}
