/** Team: who is in a workspace, what they may do there, and who of them is here now. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { seconds } from "../../../lib/duration.ts";
import { isAboutMembers, memberChanges, presenceChanges } from "./changes.ts";
import { fail } from "./contract.ts";
import { teamMeanings } from "./events.ts";
import { removeOthers } from "./logic.ts";
import type { Needs } from "./needs.ts";
import { createPresences } from "./presences.ts";
import { bindTeamRoutes } from "./routes.ts";
import { searchMembers } from "./search.ts";
import { createTurns } from "./turns.ts";

export const teamFeature = defineFeature({ name: "team", errors: fail.table, events: teamMeanings });

export function createTeam(needs: Needs): Part {
  needs.lists.searches.add(searchMembers);
  needs.lists.grants.add((_, ousted) => removeOthers(needs, ousted));
  const turns = createTurns(needs.clock);
  const presences = createPresences(needs.clock, turns.changed);
  needs.lists.changes.add(presenceChanges(presences, turns));
  const members = createTurns(needs.clock);
  needs.lists.changes.add(memberChanges(members));
  return {
    feature: teamFeature,
    routes: [bindTeamRoutes({ ...needs, presences })],
    jobs: [{ name: "presence.forget", everyMs: seconds(15), run: presences.forgetTheGone }],
    subscribe: () =>
      void needs.bus.onEmit(async (tx, name, { by }) => {
        if (isAboutMembers(name)) tx.afterCommit(() => members.changed(by.tenant_id));
      }),
  };
}
