import { type Static, t } from "elysia";

/** The service of a node that looks for its things on behalf of somebody on the panel. */
export const SEARCH_SERVICE = "search";

/** Most that one node finds: who searches sees what is on many. */
export const NODE_HITS_MAX = 10;

/** Longest text of what is found. */
export const HIT_TITLE_LENGTH = 200;
export const HIT_SNIPPET_LENGTH = 300;

/** What somebody on the panel looks for. */
export const SearchStreamParams = t.Object({
  text: t.String({ minLength: 1, maxLength: 256 }),
  /** Their account on the panel, and what they are in the workspace: the node tells them what it would show them there. */
  person: t.Object({ account_id: t.String({ minLength: 1, maxLength: 64 }), role: t.String({ maxLength: 64 }) }),
  limit: t.Integer({ minimum: 1, maximum: NODE_HITS_MAX }),
});
export type SearchStreamParams = Static<typeof SearchStreamParams>;

const short = { minLength: 1, maxLength: HIT_TITLE_LENGTH };

/** One thing that has the text. */
export const NodeHit = t.Object({
  /** What it is: `containers`, `compose_projects`, `alert_rules`, `files`; a newer node may know more. */
  source: t.String({ ...short, pattern: "^[a-z_]+$" }),
  id: t.String(short),
  title: t.String(short),
  snippet: t.String({ maxLength: HIT_SNIPPET_LENGTH }),
});
export type NodeHit = Static<typeof NodeHit>;

/** What a frame of such a stream has: what one kind of things had. */
export const SearchStreamBatch = t.Object({ hits: t.Array(NodeHit, { maxItems: NODE_HITS_MAX }) });
export type SearchStreamBatch = Static<typeof SearchStreamBatch>;
