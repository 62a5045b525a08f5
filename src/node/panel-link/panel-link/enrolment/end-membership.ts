import { endCommands } from "../commands/command-store.ts";
import type { PanelLinkEvents, PeopleEnded } from "../contract.ts";
import type { Needs } from "../needs.ts";
import { endPeople } from "../people/end-people.ts";

/** What ending a membership takes. */
export type EndDeps = Pick<Needs, "db" | "clock"> & {
  users: Pick<Needs["users"], "find" | "shut">;
  /** Puts on record that people lost what let them in: on the bus, or without a program around it. */
  tellPeopleEnded(event: PanelLinkEvents["panel.people_ended"]): void;
};

/** What ends, and what does not. */
export interface Ending {
  /** Where the panel is that has nothing more to say here. */
  panel: string;
  by: string;
  ip: string;
  /** The membership that is over; null where only people of earlier ones may be left. */
  membership: string | null;
  /** The one that goes on, if any. */
  goesOn: string | null;
}

/** Ends what a panel had on this node, commands and people, inside the transaction that ends its link. */
export function endMembership(deps: EndDeps, { panel, by, ip, membership, goesOn }: Ending): PeopleEnded {
  if (membership !== null) endCommands(deps.db, membership, deps.clock.now());
  const { ways, ...counts } = endPeople(deps, goesOn, { by, ip });
  if (counts.people > 0) deps.tellPeopleEnded({ by, ip, panel, ...counts, ended: ways });
  return { ...counts, ways };
}
