import type { Bus } from "../../../kernel/bus.ts";
import type { Limiter } from "../../../kernel/http/limit.ts";
import type { SharedMap } from "../../../lib/shared-map.ts";
import type { Actor } from "../../actor.ts";
import type { NodeBase } from "../../base.ts";
import type { Sessions } from "../sessions/index.ts";
import type { SignIns } from "../sign-ins/index.ts";
import type { Users } from "../users/index.ts";
import type { PairedDeviceEvents } from "./contract.ts";

/** What paired devices need. */
export interface Needs extends NodeBase {
  bus: Bus<PairedDeviceEvents>;
  sessions: Sessions;
  users: Users;
  signIns: SignIns;
}

/** Who began a pairing, and the paired device that they came in with. */
export interface Begun extends Pick<Actor, "user_id" | "device_id"> {
  /** Whether what they came in with goes on. */
  holds(): boolean;
}

/** With what they keep themselves; in memory, so a restart ends it. */
export interface Own extends Needs {
  /** Pairings that wait for their app: who began each, by code. */
  pairings: SharedMap<Begun>;
  /** Pairings that each user has begun. Codes that wait are bounded in number: nobody may crowd out those of others. */
  begun: Limiter;
}
