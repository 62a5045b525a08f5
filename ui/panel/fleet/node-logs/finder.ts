import { navigate } from "../../../client/router.ts";
import type { Finder } from "../../../shell/finder.ts";
import { here } from "../../changes/commands/ask.ts";
import { may } from "../../client/permissions.ts";

/** The logs of the node whose page is open. */
export const nodeLogsFinder: Finder = {
  order: 12,
  list: () => {
    const node = here.value;
    if (node === null || !may("fleet:write")) return [];
    const run = () => navigate(`/nodes/${encodeURIComponent(node.id)}/logs`);
    return [{ id: "node-logs", title: `Logs of ${node.hostname}`, group: "Node", icon: "logs", words: "journal", run }];
  },
};
