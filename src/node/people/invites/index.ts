/** Invites: links through which new users choose their own password. */
import { defineFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import { fail } from "./contract.ts";
import init from "./migrations/0001_invites.sql" with { type: "text" };
import { inviteRoutes } from "./routes.ts";

export const invites = defineFeature<NodeContext>({
  name: "invites",
  requires: ["sessions", "users", "sign-ins", "totp"],
  migrations: [init],
  errors: fail.table,
  routes: inviteRoutes,
});
