/** OAuth: the panel as an authorization-code provider for its nodes, so that people sign in to them with their account here. */
import { defineContextFeature } from "../../context.ts";
import { fail } from "./contract.ts";
import { oauthMeanings } from "./events.ts";
import init from "./migrations/0001_oauth.sql" with { type: "text" };
import { oauthRoutes } from "./routes.ts";

export const oauth = defineContextFeature({
  name: "oauth",
  migrations: [init],
  errors: fail.table,
  routes: oauthRoutes,
  events: oauthMeanings,
});
