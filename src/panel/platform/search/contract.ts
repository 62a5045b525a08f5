import { type Static, t } from "elysia";
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
});
export type SearchResult = Static<typeof SearchResult>;

export const SearchResults = t.Object({ results: t.Array(SearchResult) });
export type SearchResults = Static<typeof SearchResults>;

export const searchRoutes = defineRoutes({
  "GET /api/search/global": { access: signedIn(), query: SearchQuery, out: SearchResults },
});
export type SearchApi = ApiOf<typeof searchRoutes>;
