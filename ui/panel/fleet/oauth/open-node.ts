import { asProblem } from "../../../client/problem.ts";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";

/**
 * Opens a node's own dashboard, signed in through the panel, in a tab of its own. The tab is opened at once, by the press itself:
 * browsers block one that opens after an answer.
 */
export async function openNode(id: string): Promise<void> {
  const tab = open("about:blank", "_blank");
  if (tab !== null) tab.opener = null;
  try {
    const { session_url: url } = await api("POST /api/fleet/instances/{id}/impersonate", { path: { id } });
    if (tab === null) location.assign(url);
    else tab.location.replace(url);
  } catch (error) {
    tab?.close();
    toast(`The server did not open: ${asProblem(error).message}`, { state: "crit" });
  }
}
