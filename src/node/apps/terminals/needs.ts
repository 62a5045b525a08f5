import type { Bus } from "../../../kernel/bus.ts";
import type { SharedMap } from "../../../lib/shared-map.ts";
import type { NodeBase } from "../../base.ts";
import type { Seats } from "../../host/host-terminals/index.ts";
import type { Presence } from "../../people/auth/index.ts";
import type { Containers } from "../containers/index.ts";
import type { Runtime } from "../runtime/index.ts";
import type { TerminalEvents } from "./contract.ts";

/** What terminals need. */
export interface Needs extends NodeBase {
  bus: Bus<TerminalEvents>;
  containers: Pick<Containers, "get">;
  presence: Presence;
  /** How many terminals may be open on this node. */
  seats: Seats;
  runtime: Pick<Runtime, "requireEngine">;
}

/** Where a terminal is, and what runs on it. */
export interface Place {
  container_id: string;
  name: string;
  command: string[];
  run_as: string | null;
}

/** What a ticket opens. */
export interface Grant extends Place {
  user_id: string;
  session_id: string;
  /** As the caller named it, and as the address of the socket must. */
  asked: string;
}

/** The needs, and what the feature keeps for itself. */
export interface Own extends Needs {
  /** Grants by the digest of their ticket. */
  tickets: SharedMap<Grant>;
}
