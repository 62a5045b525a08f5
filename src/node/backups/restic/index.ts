/** Restic repositories: those that people have already are attached, and looked into without anything being written to them. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { fail } from "./contract.ts";
import { resticMeanings } from "./events.ts";
import { endHeld, tidyIndexes } from "./held.ts";
import init from "./migrations/0001_restic.sql" with { type: "text" };
import type { Needs, Own } from "./needs.ts";
import { bindResticRoutes } from "./routes.ts";
import { listRepositories } from "./store.ts";

export const resticFeature = defineFeature({
  name: "restic",
  migrations: [init],
  errors: fail.table,
  events: resticMeanings,
});

/** The restic repositories that this node looks into. */
export function createRestic(needs: Needs): Part {
  const own: Own = { ...needs, held: new Map(), reading: new Map(), downloads: new Set() };
  return {
    feature: resticFeature,
    routes: [bindResticRoutes(own)],
    start() {
      const known = listRepositories(needs.db).map(({ id }) => id);
      tidyIndexes(own, known);
    },
    async stop() {
      await Promise.all([...own.reading.values()].map(({ done }) => done));
      for (const id of [...own.held.keys()]) endHeld(own, id);
    },
  };
}
