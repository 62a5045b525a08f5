/** Invitations: asking people to join a workspace, by mail or by a link that is handed out, and joining by one. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { days, hours } from "../../../lib/duration.ts";
import { fail } from "./contract.ts";
import { invitationMeanings } from "./events.ts";
import { revokeAll, revokeTo } from "./invite.ts";
import { invitationLetters } from "./letter.ts";
import init from "./migrations/0001_invitations.sql" with { type: "text" };
import language from "./migrations/0002_language.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { bindInvitationRoutes } from "./routes.ts";
import { countAllOpen, deleteOld, endAll } from "./store.ts";

/** How long a list still shows who has accepted, and what ran out. */
const KEPT_MS = days(30);

export const invitationsFeature = defineFeature({
  name: "invitations",
  migrations: [init, language],
  errors: fail.table,
  events: invitationMeanings,
});

export function createInvitations(needs: Needs): Part {
  needs.lists.letters.add(invitationLetters(needs));
  needs.lists.admissions.add({ words: ["invitation", "invitations"], asked: null, count: countAllOpen, end: endAll });
  needs.lists.grants.add((tx, ousted) => revokeAll(needs, tx, ousted));
  needs.lists.removals.add((tx, removed) => revokeTo(needs, tx, removed));
  return {
    feature: invitationsFeature,
    routes: [bindInvitationRoutes(needs)],
    jobs: [
      {
        name: "invitations.forget",
        everyMs: hours(1),
        run: () => deleteOld(needs.system, needs.clock.now() - KEPT_MS),
      },
    ],
  };
}
