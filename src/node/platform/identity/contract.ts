import { type Static, t } from "elysia";

/** What a node is for; decides which dashboard it opens with. */
export const NodeMode = t.Union([t.Literal("server"), t.Literal("personal"), t.Literal("cluster")]);
export type NodeMode = Static<typeof NodeMode>;
export const NODE_MODES: readonly NodeMode[] = ["server", "personal", "cluster"];
