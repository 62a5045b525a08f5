/** Links to accounts: what the operator hands out so that somebody chooses a password, and who is platform staff. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { fail } from "./contract.ts";
import { accountLinkMeanings } from "./events.ts";
import { resetLetters } from "./forgotten.ts";
import { inviteAccount, type MadeLink, offerReset, setStaff } from "./logic.ts";
import init from "./migrations/0001_account_links.sql" with { type: "text" };
import mailed from "./migrations/0002_mailed.sql" with { type: "text" };
import address from "./migrations/0003_address.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { bindAccountLinkRoutes } from "./routes.ts";
import { countLinks, deleteAllLinks, deleteLinks, deleteLinksOf } from "./store.ts";

export { type AccountCommandNeeds, createAccountCommands } from "./commands.ts";

export const accountLinksFeature = defineFeature({
  name: "account-links",
  migrations: [init, mailed, address],
  errors: fail.table,
  events: accountLinkMeanings,
});

export interface AccountLinks extends Part {
  /** A link by which the owner of an account chooses a new password; null when there is no such account. */
  offerReset(email: string): Promise<MadeLink | null>;
  /** Makes an account with a workspace and a link into it; null when the address has one already. */
  inviteAccount(email: string, name: string): Promise<MadeLink | null>;
  /** Takes back the links that an account has. */
  forgetLinks(tx: SystemTx, accountId: string): Promise<void>;
  /** Makes somebody platform staff, or ends that; false when there is no such account. */
  setStaff(email: string, staff: boolean): Promise<boolean>;
}

export function createAccountLinks(needs: Needs): AccountLinks {
  needs.lists.letters.add(resetLetters(needs));
  needs.lists.admissions.add({
    words: ["link to an account", "links to accounts"],
    asked: null,
    count: countLinks,
    end: deleteAllLinks,
  });
  needs.lists.accountRemains.add({ clear: deleteLinksOf });
  needs.lists.ways.add(deleteLinks);
  return {
    feature: accountLinksFeature,
    routes: [bindAccountLinkRoutes(needs)],
    offerReset: (email) => offerReset(needs, email),
    inviteAccount: (email, name) => inviteAccount(needs, email, name),
    forgetLinks: deleteLinks,
    setStaff: (email, staff) => setStaff(needs, email, staff),
  };
}
