import type { Bus } from "../../../kernel/bus.ts";
import type { ExpiringMap } from "../../../lib/expiring-map.ts";
import type { NodeBase } from "../../base.ts";
import type { Presence } from "../../people/auth/index.ts";
import type { Containers } from "../containers/index.ts";
import type { Runtime } from "../runtime/index.ts";
import type { TerminalEvents } from "./contract.ts";

/** What terminals need. */
export interface Needs extends NodeBase {
  bus: Bus<TerminalEvents>;
  containers: Pick<Containers, "get">;
  presence: Presence;
  runtime: Pick<Runtime, "requireEngine">;
}

/** What a ticket opens. */
export interface Grant {
  user_id: string;
  session_id: string;
  /** As the caller named it, and as the address of the socket must. */
  asked: string;
  container_id: string;
  name: string;
  command: string[];
  run_as: string | null;
}

/** A terminal that is open. */
export interface OpenTerminal {
  user_id: string;
  done: Promise<void>;
}

/** The needs, and what the feature keeps for itself. */
export interface Own extends Needs {
  /** Grants by the digest of their ticket. */
  tickets: ExpiringMap<Grant>;
  open: Set<OpenTerminal>;
}
