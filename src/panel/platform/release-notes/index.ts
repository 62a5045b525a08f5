/** Release notes: what each release of the programs brought, for anybody to read; nodes fetch theirs from here. */
import { Elysia, t } from "elysia";
import { defineContextFeature } from "../../../kernel/feature.ts";
import { open } from "../../access.ts";
import type { PanelContext } from "../../context.ts";
import { fail, NotesQuery, ReleaseNote } from "./contract.ts";
import { listNotes } from "./logic.ts";
import { NOTES } from "./notes.ts";

/** Rollouts say who tries a version first; as long as there are none, nobody does. */
const isNobody = (): boolean => false;

export const releaseNotes = defineContextFeature<PanelContext>({
  name: "release-notes",
  errors: fail.table,
  routes: (ctx) =>
    new Elysia({ prefix: "/api/v1/release-notes" })
      .use(ctx.guard)
      .get("", ({ query }) => listNotes(NOTES, query, isNobody), {
        access: open(),
        query: NotesQuery,
        response: t.Array(ReleaseNote),
      }),
});
