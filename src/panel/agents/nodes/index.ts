/** Nodes: the servers of every workspace, their certificates, and the tokens that enrol them. */
import { defineContextFeature } from "../../context.ts";
import { nodeMeanings } from "./events.ts";
import init from "./migrations/0001_nodes.sql" with { type: "text" };
import notices from "./migrations/0002_node_notices.sql" with { type: "text" };

export { createNodes, type NodeChange, type Nodes, openNodeAuthority } from "./create-nodes.ts";
export { deleteNode, findNodeRow, listNodeRows, type NodeRow } from "./node-store.ts";
export type { NoticeKind } from "./notice-store.ts";
export type { TakeHeartbeat } from "./receive-heartbeat.ts";

export const nodes = defineContextFeature({
  name: "nodes",
  migrations: [init, notices],
  events: nodeMeanings,
});
