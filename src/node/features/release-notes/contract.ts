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

export const NoteParams = t.Object({ version: t.String({ maxLength: 64 }) });

export const fail = defineErrors({
  release_note_not_found: [
    404,
    "There is no note for version {version} here. Fetch them anew, or ask for another version.",
  ],
  release_notes_unavailable: [
    502,
    "The release notes could not be fetched: {reason} What was fetched earlier is kept.",
  ],
});

export type ReleaseNotesApi = {
  "GET /api/release-notes": { out: ReleaseNote[] };
  "GET /api/release-notes/{version}": { out: ReleaseNote };
  "POST /api/release-notes/sync": { out: ReleaseNote[] };
};
