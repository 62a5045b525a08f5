/** Proofs of addresses: whoever holds an account opens a link that went to its address, or to the one it is to have. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { hours } from "../../../lib/duration.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { fail } from "./contract.ts";
import { emailProofMeanings } from "./events.ts";
import { changeLetters, proofLetters } from "./letters.ts";
import { greet } from "./logic.ts";
import init from "./migrations/0001_email_proofs.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { bindEmailProofRoutes } from "./routes.ts";
import { countProofs, deleteAll, deleteAllOf, deleteExpired } from "./store.ts";

export const emailProofsFeature = defineFeature({
  name: "email-proofs",
  migrations: [init],
  errors: fail.table,
  events: emailProofMeanings,
});

export interface EmailProofs extends Part {
  /** Has a link sent to the address of a new account, in the transaction that makes it; nothing where no mail is sent. */
  greet(tx: SystemTx, accountId: string, email: string): Promise<void>;
}

export function createEmailProofs(needs: Needs): EmailProofs {
  needs.lists.letters.add(proofLetters(needs));
  needs.lists.letters.add(changeLetters(needs));
  needs.lists.admissions.add({
    words: ["link that confirms an address", "links that confirm addresses"],
    asked: null,
    count: countProofs,
    end: deleteAll,
  });
  needs.lists.accountRemains.add({ clear: deleteAllOf });
  needs.lists.ways.add((tx, accountId) => deleteAllOf(tx, [accountId]));
  return {
    feature: emailProofsFeature,
    routes: [bindEmailProofRoutes(needs)],
    jobs: [
      { name: "email-proofs.forget", everyMs: hours(1), run: () => deleteExpired(needs.system, needs.clock.now()) },
    ],
    greet: (tx, accountId, email) => greet(needs, tx, accountId, email),
  };
}
