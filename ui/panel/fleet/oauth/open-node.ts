import { asProblem } from "../../../client/problem.ts";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";

/**
 * Opens a node's own dashboard, signed in through the panel, in a tab of its own. The tab is opened at once, by the press itself:
 * browsers block one that opens after an answer. `page` is one of the node's own, told by a node that knows of pages.
 */
export async function openNode(id: string, page: string | null = null): Promise<void> {
  const tab = open("about:blank", "_blank");
  if (tab !== null) tab.opener = null;
  try {
    const { session_url } = await api("POST /api/fleet/instances/{id}/impersonate", { path: { id } });
    const url = page === null ? session_url : `${session_url}&next=${encodeURIComponent(page)}`;
    if (tab === null) location.assign(url);
    else tab.location.replace(url);
  } catch (error) {
    tab?.close();
    toast(`The server did not open: ${asProblem(error).message}`, { state: "crit" });
  }
}
