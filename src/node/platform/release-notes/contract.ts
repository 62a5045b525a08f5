import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";

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

export type ReleaseNotesApi = {
  "GET /api/release-notes": { out: ReleaseNote[] };
  "GET /api/release-notes/{version}": { out: ReleaseNote };
  "POST /api/release-notes/sync": { out: ReleaseNote[] };
  "GET /api/feature-tour": { out: FeatureTour };
};
