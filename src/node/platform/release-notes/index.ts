/** Release notes: what each release brought, fetched from the panel every hour and kept for when it is away, and a tour. */
import { Elysia, t } from "elysia";
import { defineContextFeature } from "../../../kernel/feature.ts";
import { AppError } from "../../../kernel/http/errors.ts";
import { hours } from "../../../lib/duration.ts";
import { admin, user } from "../../access.ts";
import type { NodeContext } from "../../context.ts";
import { FeatureTour, fail, NoteParams, ReleaseNote } from "./contract.ts";
import { createPanelOutgoing } from "./fetch-notes.ts";
import { readNote, readNotes, syncNotes } from "./logic.ts";
import init from "./migrations/0001_release_notes.sql" with { type: "text" };
import { TOUR } from "./tour.ts";

const FETCH = "release_notes.fetch";

export const releaseNotes = defineContextFeature<NodeContext>({
  name: "release-notes",
  migrations: [init],
  errors: fail.table,
  routes: (ctx) => {
    const outgoing = createPanelOutgoing(ctx);
    return new Elysia({ prefix: "/api" })
      .use(ctx.guard)
      .get("/feature-tour", () => TOUR, { access: user("updates"), response: FeatureTour })
      .get("/release-notes", () => readNotes(ctx), { access: user("updates"), response: t.Array(ReleaseNote) })
      .get("/release-notes/:version", ({ params }) => readNote(ctx, params.version), {
        access: user("updates"),
        params: NoteParams,
        response: ReleaseNote,
      })
      .post("/release-notes/sync", () => syncNotes(ctx, outgoing), {
        access: admin("updates"),
        response: t.Array(ReleaseNote),
      });
  },
  subscribe(ctx) {
    ctx.bus.on("panel.connected", () => ctx.jobs.run(FETCH));
  },
  jobs(ctx) {
    const outgoing = createPanelOutgoing(ctx);
    return [
      {
        name: FETCH,
        everyMs: hours(1),
        async run() {
          if (!ctx.panelLink.state()) return;
          try {
            await syncNotes(ctx, outgoing);
          } catch (error) {
            // A panel that is away is told elsewhere; what was fetched earlier is kept.
            if (!(error instanceof AppError)) throw error;
            ctx.log.debug("release notes were not fetched", { error });
          }
        },
      },
    ];
  },
});
