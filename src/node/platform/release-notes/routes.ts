import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import type { NodeBase } from "../../base.ts";
import { bindRoutes } from "../../route.ts";
import { releaseNoteRoutes } from "./contract.ts";
import { readNote, readNotes, syncNotes } from "./logic.ts";
import { TOUR } from "./tour.ts";

/** What answers the routes of release notes and the tour. */
export const bindReleaseNoteRoutes = (needs: NodeBase): BoundRoutes =>
  bindRoutes(releaseNoteRoutes, {
    "GET /api/feature-tour": () => TOUR,
    "GET /api/release-notes": () => readNotes(needs),
    "GET /api/release-notes/{version}": ({ params }) => readNote(needs, params.version),
    "POST /api/release-notes/sync": () => syncNotes(needs),
  });
