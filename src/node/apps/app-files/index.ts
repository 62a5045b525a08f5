/** App files: what apps keep in their volumes, for admins to look at, fetch and change. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { createGate } from "../../../lib/gate.ts";
import { sweepCarriers } from "./carrier.ts";
import { fail } from "./contract.ts";
import { appFileMeanings } from "./events.ts";
import type { Needs, Own } from "./needs.ts";
import { bindAppFileRoutes } from "./routes.ts";

/** Each runs in a container of its own, which costs more than what it does there. */
const SCRIPTS_AT_A_TIME = 3;

export const appFilesFeature = defineFeature({ name: "app-files", errors: fail.table, events: appFileMeanings });

/** What apps keep in their volumes. */
export function createAppFiles(needs: Needs): Part {
  const own: Own = {
    ...needs,
    enter: createGate(SCRIPTS_AT_A_TIME),
    carriers: new Set(),
    downloads: new Set(),
    uploads: new Map(),
  };
  return {
    feature: appFilesFeature,
    routes: [bindAppFileRoutes(own)],
    subscribe: () => needs.runtime.watch({ connected: (engine) => sweepCarriers(own, engine), event: () => {} }),
    async stop() {
      await Promise.all([...own.downloads, ...[...own.uploads.values()].map(({ outcome }) => outcome)]);
    },
  };
}
