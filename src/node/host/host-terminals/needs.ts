import type { Bus } from "../../../kernel/bus.ts";
import type { SharedMap } from "../../../lib/shared-map.ts";
import type { NodeBase } from "../../base.ts";
import type { Presence } from "../../people/auth/index.ts";
import type { Totp } from "../../people/totp/index.ts";
import type { HostRole } from "../host-role/index.ts";
import type { HostTerminalEvents } from "./contract.ts";
import type { Seats } from "./seats.ts";

/** What terminals of the server need. */
export interface Needs extends NodeBase {
  bus: Bus<HostTerminalEvents>;
  hostRole: HostRole;
  presence: Presence;
  totp: Pick<Totp, "assertProof">;
}

/** What a ticket opens. */
export interface Grant {
  user_id: string;
  session_id: string;
}

/** The needs, and what the feature keeps for itself. */
export interface Own extends Needs {
  /** Grants by the digest of their ticket. */
  tickets: SharedMap<Grant>;
  seats: Seats;
  /** Ends what is open, when the terminal is turned off or is another user's. */
  open: Set<() => void>;
}
