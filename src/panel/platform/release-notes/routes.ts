import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import type { PanelBase } from "../../base.ts";
import { bindRoutes } from "../../route.ts";
import { releaseNoteRoutes } from "./contract.ts";
import { listNotes } from "./logic.ts";
import { NOTES } from "./notes.ts";

/** Versions that a node was sent before others; none when it does not say who it is. */
async function trialsOf({ lists }: Pick<PanelBase, "lists">, nodeId: string | undefined): Promise<ReadonlySet<string>> {
  if (nodeId === undefined) return new Set();
  const found = await Promise.all(lists.trials.all().map((read) => read(nodeId)));
  return new Set(found.flat());
}

/** What answers the routes of release notes. */
export const bindReleaseNoteRoutes = (base: Pick<PanelBase, "lists">): BoundRoutes =>
  bindRoutes(releaseNoteRoutes, {
    "GET /api/v1/release-notes": async ({ query }) => {
      const trials = await trialsOf(base, query.instance_id);
      return listNotes(NOTES, query, ({ product, version }) => product === "os" && trials.has(version));
    },
  });
