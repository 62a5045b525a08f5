import { hasHeartbeat, type LinkRow } from "../link-store.ts";
import { type Asker, type ConnectDeps, connectPanel } from "./connect.ts";
import type { ConnectLine } from "./connect-line.ts";
import { disconnectPanel } from "./disconnect.ts";

/** Joining a panel and leaving it, beside a running node too: both use the same database. */
export interface Enrolment {
  /**
   * Registers this node with a panel; the running node takes the link up within a second. Throws `panel_connected`,
   * `panel_refused`, `panel_unreachable`; then everything is as it was.
   */
  connect(line: ConnectLine, asker: Asker): Promise<LinkRow>;
  /** Leaves the panel. Throws `panel_not_connected`. */
  disconnect(asker: Asker): void;
  /** True once the present link has got through. */
  hasHeartbeat(): boolean;
}

/** The two ways, for the routes and for the commands, which have no running node. */
export const createEnrolment = (deps: ConnectDeps): Enrolment => ({
  connect: (line, asker) => connectPanel(deps, line, asker),
  disconnect: (asker) => disconnectPanel(deps, asker),
  hasHeartbeat: () => hasHeartbeat(deps.db),
});
