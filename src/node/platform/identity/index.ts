/** Identity: which node this is, what it is called and what it is for. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { isHostnameLabel } from "../../../lib/hostname-label.ts";
import type { NodeBase } from "../../base.ts";
import { NODE_MODES, type NodeMode } from "./contract.ts";
import { nodeMode, nodeName } from "./facts.ts";
import { readNodeId } from "./node-id.ts";

export const identityFeature = defineFeature({
  name: "identity",
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
});

/** What others ask about this node. */
export interface Identity extends Part {
  /** Made once and kept in the data folder, so that it moves with the data. */
  id(): string;
  /** The name given at setup where the host itself could not be renamed, else the host's. */
  name(): string;
  mode(): NodeMode;
}

/** The identity of the node whose data folder this is, running or not. */
export const createIdentity = (needs: Pick<NodeBase, "config" | "host" | "ids" | "settings">): Identity => ({
  feature: identityFeature,
  id: () => readNodeId(needs),
  name: () => nodeName(needs),
  mode: () => nodeMode(needs),
});
