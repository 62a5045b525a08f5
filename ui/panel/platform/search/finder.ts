import type { SearchDone, SearchResult, SearchResults } from "../../../../src/panel/platform/search/contract.ts";
import { navigate } from "../../../client/router.ts";
import type { StreamEvent } from "../../../client/sse.ts";
import type { Command } from "../../../kit/palette.tsx";
import type { Finder } from "../../../shell/finder.ts";
import { may } from "../../client/permissions.ts";
import { followStream } from "../../client/stream.ts";
import { openNode } from "../../fleet/oauth/open-node.ts";
import { noteOf } from "./note.ts";

/** More than these nobody reads in a list of commands; the pages have all of them. */
const most = 20;
const mostOfNodes = 100;

/** What the palette calls what the panel finds; kinds that are not here other finders know already. */
const groups: Record<string, string> = {
  nodes: "Node",
  apps: "App",
  incidents: "Incident",
  rollouts: "Rollout",
  jobs: "Job",
  containers: "Container",
  compose_projects: "Compose project",
  alert_rules: "Alert rule",
  files: "File",
};

/** Whatever the panel finds by the words, and what servers that are connected find, as they answer. */
export const searchFinder: Finder = {
  order: 10,
  search(words, signal, tell) {
    let found: Command[] | null = null;
    let later: Command[] = [];
    const stop = followStream(`/api/search/stream?q=${encodeURIComponent(words)}&limit=${most}`, {
      onOpen() {
        found = null;
        later = [];
      },
      onEvent(event) {
        if (!isOurs(event)) return;
        if (event.type === "found") {
          const commands = event.data.results.flatMap(commandOf);
          if (found === null) found = commands;
          else later = [...later, ...commands].slice(0, mostOfNodes);
        }
        const isOver = event.type === "done";
        tell({ found: found ?? [], later, note: noteOf(event.data, isOver), isOver });
      },
      onRefused: () => tell({ found: [], later: [], note: null, isOver: true }),
      endsWith: ({ type }) => type === "done" || type === "error",
    });
    signal.addEventListener("abort", stop, { once: true });
  },
};

const isOurs = (
  event: StreamEvent,
): event is StreamEvent & ({ type: "found"; data: SearchResults } | { type: "done"; data: SearchDone }) =>
  event.type === "found" || event.type === "done";

function commandOf({ source, id, title, snippet, path, icon, origin_node, node_path }: SearchResult): Command[] {
  const group = groups[source];
  if (group === undefined) return [];
  // Whoever may not open a server is shown its page here.
  const isOpened = origin_node !== undefined && may("fleet:write");
  const run = () => (isOpened ? void openNode(origin_node, node_path) : navigate(path));
  return [{ id: `${source}-${id}`, title, detail: snippet, group, icon, run, ...(isOpened ? {} : { path }) }];
}
