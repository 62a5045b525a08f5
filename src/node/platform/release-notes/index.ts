/** Release notes: what each release brought, fetched from the panel every hour and kept for when it is away, and a tour. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { AppError } from "../../../kernel/http/errors.ts";
import { hours } from "../../../lib/duration.ts";
import type { NodeBase } from "../../base.ts";
import { fail } from "./contract.ts";
import { findPanel } from "./fetch-notes.ts";
import { syncNotes } from "./logic.ts";
import init from "./migrations/0001_release_notes.sql" with { type: "text" };
import { bindReleaseNoteRoutes } from "./routes.ts";

const FETCH = "release_notes.fetch";

export const releaseNotesFeature = defineFeature({ name: "release-notes", migrations: [init], errors: fail.table });

export interface ReleaseNotes extends Part {
  /** Fetches them without waiting for the next hour: there is another panel to ask. */
  fetchNow(): Promise<void>;
}

export function createReleaseNotes(needs: NodeBase): ReleaseNotes {
  const { jobs, log } = needs;
  return {
    feature: releaseNotesFeature,
    routes: [bindReleaseNoteRoutes(needs)],
    jobs: [
      {
        name: FETCH,
        everyMs: hours(1),
        async run() {
          if (!findPanel(needs)) return;
          try {
            await syncNotes(needs);
          } catch (error) {
            // A panel that is away is told elsewhere; what was fetched earlier is kept.
            if (!(error instanceof AppError)) throw error;
            log.debug("release notes were not fetched", { error });
          }
        },
      },
    ],
    fetchNow: () => jobs.run(FETCH),
  };
}
