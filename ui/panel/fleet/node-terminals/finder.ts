import { navigate } from "../../../client/router.ts";
import type { Finder } from "../../../shell/finder.ts";
import { here } from "../../changes/commands/ask.ts";
import { may } from "../../client/permissions.ts";

/** A terminal on the node whose page is open. */
export const nodeTerminalsFinder: Finder = {
  order: 13,
  list: () => {
    const node = here.value;
    if (node === null || !may("fleet:shell", { ownRole: true })) return [];
    const run = () => navigate(`/nodes/${encodeURIComponent(node.id)}/terminal`);
    return [
      {
        id: "node-terminals",
        title: `Terminal on ${node.hostname}`,
        group: "Node",
        icon: "terminal",
        words: "shell",
        run,
      },
    ];
  },
};
