import type { PeopleEnded } from "../contract.ts";
import { findMembership, hasHeartbeat, type LinkRow } from "../link-store.ts";
import type { Needs } from "../needs.ts";
import { countPeople } from "../people/people-store.ts";
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
  /** Leaves the panel, and tells what ended of its people. Throws `panel_not_connected`, `panel_only_admins`. */
  disconnect(asker: Asker): PeopleEnded;
  /** How many came in over the panel that the node belongs to. */
  countPeople(): number;
  /** True once the present link has got through. */
  hasHeartbeat(): boolean;
}

/** All that both take. */
export type EnrolmentDeps = ConnectDeps & { users: Pick<Needs["users"], "countActiveAdmins"> };

/** The two ways, for the routes and for the commands, which have no running node. */
export const createEnrolment = (deps: EnrolmentDeps): Enrolment => ({
  connect: (line, asker) => connectPanel(deps, line, asker),
  disconnect: (asker) => disconnectPanel(deps, asker),
  countPeople: () => countPeople(deps.db, findMembership(deps.db)),
  hasHeartbeat: () => hasHeartbeat(deps.db),
});
