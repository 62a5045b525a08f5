/** Invites: links through which new users choose their own password. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { inviteMeanings } from "./events.ts";
import init from "./migrations/0001_invites.sql" with { type: "text" };
import { inviteRoutes } from "./routes.ts";

export const invites = defineContextFeature<NodeContext>({
  name: "invites",
  migrations: [init],
  errors: fail.table,
  events: inviteMeanings,
  routes: inviteRoutes,
});
