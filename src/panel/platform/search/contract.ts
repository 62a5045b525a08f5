import { type Static, t } from "elysia";
import { answersAs } from "../../../kernel/http/answers.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { signedIn } from "../../access.ts";

export const SEARCH_DEFAULT = 50;
export const SEARCH_MAX = 200;

export const SearchQuery = t.Object({
  /** Words to look for; nothing is found by an empty text. */
  q: t.Optional(t.String({ maxLength: 256, pattern: "^[^\\u0000]*$" })),
  limit: t.Optional(t.Integer({ minimum: 1, maximum: SEARCH_MAX })),
});
export type SearchQuery = Static<typeof SearchQuery>;

export const SearchResult = t.Object({
  /** What kind of thing it is: `workspaces`, `nodes`, … */
  source: t.String(),
  id: t.String(),
  title: t.String(),
  /** One line that tells it from others of the same title. */
  snippet: t.String(),
  /** The page of the dashboard that shows it. */
  path: t.String(),
  icon: t.String(),
  /** The id of the node that found it, and the page of its own dashboard; left out for what the panel knows itself. */
  origin_node: t.Optional(t.String()),
  node_path: t.Optional(t.String()),
});
export type SearchResult = Static<typeof SearchResult>;

/** How many servers were there to ask, and how many of them had not answered when this was said. */
const answered = { asked: t.Integer(), late: t.Integer() };

/** An answer, and the data of an event `found` of the stream: what has come, to which more may come. */
export const SearchResults = t.Object({ results: t.Array(SearchResult), ...answered });
export type SearchResults = Static<typeof SearchResults>;

/** Data of `done`, its last event. */
export const SearchDone = t.Object(answered);
export type SearchDone = Static<typeof SearchDone>;

export const searchRoutes = defineRoutes({
  "GET /api/search/global": { access: signedIn(), query: SearchQuery, out: SearchResults },
  /** The same as it comes: what the panel knows at once, what servers find for three seconds more. */
  "GET /api/search/stream": { access: signedIn(), query: SearchQuery, ...answersAs("text/event-stream") },
});
export type SearchApi = ApiOf<typeof searchRoutes>;
