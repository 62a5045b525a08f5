/** Sign-ins: where people are signed in with their account, and how they end that from elsewhere. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { fail } from "./contract.ts";
import { signInMeanings } from "./events.ts";
import type { Needs } from "./needs.ts";
import { bindSignInRoutes } from "./routes.ts";

export const signInsFeature = defineFeature({ name: "sign-ins", errors: fail.table, events: signInMeanings });

export function createSignIns(needs: Needs): Part {
  return { feature: signInsFeature, routes: [bindSignInRoutes(needs)] };
}
