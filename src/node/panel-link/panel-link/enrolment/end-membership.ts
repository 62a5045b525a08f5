import { endCommands } from "../commands/command-store.ts";
import type { Needs } from "../needs.ts";

/** Ends what a panel had on this node, inside the transaction that ends its link. */
export function endMembership({ db, clock }: Pick<Needs, "db" | "clock">, membership: string): void {
  endCommands(db, membership, clock.now());
}
