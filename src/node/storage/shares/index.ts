/** Share links: files and folders of the Drive for people without an account here. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { fail } from "./contract.ts";
import { shareMeanings } from "./events.ts";
import { createGates } from "./gates.ts";
import init from "./migrations/0001_shares.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { bindShareRoutes } from "./routes.ts";

export const sharesFeature = defineFeature({
  name: "shares",
  migrations: [init],
  errors: fail.table,
  events: shareMeanings,
});

/** Makes the links. */
export const createShares = (needs: Needs): Part => ({
  feature: sharesFeature,
  routes: [bindShareRoutes({ ...needs, gates: createGates(needs.clock) })],
});
