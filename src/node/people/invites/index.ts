/** Invites: links through which new users choose their own password. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { fail } from "./contract.ts";
import { inviteMeanings } from "./events.ts";
import { invitesWay } from "./logic.ts";
import init from "./migrations/0001_invites.sql" with { type: "text" };
import makers from "./migrations/0002_makers.sql" with { type: "text" };
import parents from "./migrations/0003_parents.sql" with { type: "text" };
import sessions from "./migrations/0004_sessions.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { bindInviteRoutes } from "./routes.ts";

export const invitesFeature = defineFeature({
  name: "invites",
  events: inviteMeanings,
  migrations: [init, makers, parents, sessions],
  errors: fail.table,
});

export { invitesWay } from "./logic.ts";

export function createInvites(needs: Needs): Part {
  needs.lists.lastingWays.add(invitesWay(needs));
  return { feature: invitesFeature, routes: [bindInviteRoutes(needs)] };
}
