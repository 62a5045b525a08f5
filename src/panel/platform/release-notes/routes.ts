import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { releaseNoteRoutes } from "./contract.ts";
import { listNotes } from "./logic.ts";
import { NOTES } from "./notes.ts";

/** Rollouts say who tries a version first; as long as there are none, nobody does. */
const isNobody = (): boolean => false;

/** What answers the routes of release notes. */
export const bindReleaseNoteRoutes = (): BoundRoutes =>
  bindRoutes(releaseNoteRoutes, {
    "GET /api/v1/release-notes": ({ query }) => listNotes(NOTES, query, isNobody),
  });
