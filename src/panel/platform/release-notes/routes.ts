import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import type { PanelBase, Trier } from "../../base.ts";
import { bindRoutes } from "../../route.ts";
import { releaseNoteRoutes } from "./contract.ts";
import { listNotes } from "./logic.ts";
import { NOTES } from "./notes.ts";

/** Versions that a node, and the workspace of whoever is signed in, try before others. */
export async function trialsOf(
  { lists }: Pick<PanelBase, "lists">,
  nodeId: string | undefined,
  request: Request,
): Promise<ReadonlySet<string>> {
  const callers = await Promise.all(lists.callers.all().map((find) => find(request)));
  const triers: Trier[] = callers.flatMap((tenant_id) => (tenant_id === null ? [] : [{ tenant_id }]));
  if (nodeId !== undefined) triers.push({ node_id: nodeId });
  const found = await Promise.all(triers.flatMap((of) => lists.trials.all().map((read) => read(of))));
  return new Set(found.flat());
}

/** What answers the routes of release notes. */
export const bindReleaseNoteRoutes = (base: Pick<PanelBase, "lists">): BoundRoutes =>
  bindRoutes(releaseNoteRoutes, {
    "GET /api/v1/release-notes": async ({ query, request }) => {
      const trials = await trialsOf(base, query.instance_id, request);
      return listNotes(NOTES, query, ({ product, version }) => product === "os" && trials.has(version));
    },
  });
