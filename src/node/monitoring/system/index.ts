/** System: what this machine is, what it is doing right now and how full it is. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import { isHostnameLabel } from "../../../lib/hostname-label.ts";
import type { NodeContext } from "../../context.ts";
import { NODE_MODES } from "./contract.ts";
import { systemRoutes } from "./routes.ts";

export { nodeMode, nodeName } from "./facts.ts";
export { compareCounters, createLiveSampler, type LiveSampler } from "./live.ts";
export { readNodeId } from "./node-id.ts";

export const system = defineContextFeature<NodeContext>({
  name: "system",
  settings: {
    "node.name": {
      default: "",
      doc: "Name of this node where it differs from the host's own; empty shows the host's",
      check: (value) =>
        value === "" || isHostnameLabel(value)
          ? null
          : "must be a hostname label: a-z, 0-9 and - inside, at most 63 characters",
    },
    "node.mode": {
      default: "server",
      doc: "What this node is for: server, personal or cluster",
      check: (value) => (NODE_MODES.some((mode) => mode === value) ? null : "must be server, personal or cluster"),
    },
  },
  routes: systemRoutes,
  start: ({ live }) => live.prime(),
});
