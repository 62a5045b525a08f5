import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { admin, user } from "../../access.ts";

export const ReleaseNote = t.Object({
  id: t.String(),
  version: t.String(),
  title: t.String(),
  summary: t.String(),
  published_at: t.String(),
  items: t.Array(t.String()),
  fetched_at: t.String(),
});
export type ReleaseNote = Static<typeof ReleaseNote>;

export const FeatureTour = t.Object({
  /** The release it is about. */
  version: t.String(),
  slides: t.Array(
    t.Object({
      title: t.String(),
      text: t.String(),
      /** Where in the dashboard it is to be seen, and the words for going there. */
      path: t.String(),
      action: t.String(),
    }),
  ),
});
export type FeatureTour = Static<typeof FeatureTour>;

export const NoteParams = t.Object({ version: t.String({ maxLength: 64 }) });

export const fail = defineErrors({
  release_note_not_found: [
    404,
    "There is no note for version {version} here. Fetch them anew, or ask for another version.",
  ],
  release_notes_unavailable: [
    502,
    "The release notes could not be fetched: {reason} What was fetched earlier is kept. Try again, or see whether the panel is running.",
  ],
});

export const releaseNoteRoutes = defineRoutes({
  "GET /api/feature-tour": { access: user("updates"), out: FeatureTour },
  "GET /api/release-notes": { access: user("updates"), out: t.Array(ReleaseNote) },
  "GET /api/release-notes/{version}": { access: user("updates"), params: NoteParams, out: ReleaseNote },
  "POST /api/release-notes/sync": { access: admin("updates"), out: t.Array(ReleaseNote) },
});
export type ReleaseNotesApi = ApiOf<typeof releaseNoteRoutes>;
