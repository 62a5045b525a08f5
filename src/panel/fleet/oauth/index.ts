/** OAuth: the panel as an authorization-code provider for its nodes, so that people sign in to them with their account here. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { fail } from "./contract.ts";
import { oauthMeanings } from "./events.ts";
import init from "./migrations/0001_oauth.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { bindOauthRoutes } from "./routes.ts";
import { countCodes, deleteAllCodes, deleteCodesOf, deleteCodesOfAccount } from "./store.ts";

export const oauthFeature = defineFeature({
  name: "oauth",
  migrations: [init],
  errors: fail.table,
  events: oauthMeanings,
});

export function createOauth(needs: Needs): Part {
  needs.lists.remains.add({ clear: deleteCodesOf });
  needs.lists.ways.add(deleteCodesOfAccount);
  needs.lists.admissions.add({
    words: ["sign-in to a node under way", "sign-ins to nodes under way"],
    asked: null,
    count: countCodes,
    end: deleteAllCodes,
  });
  return { feature: oauthFeature, routes: [bindOauthRoutes(needs)] };
}
