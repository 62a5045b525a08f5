import { type Hit, type LineFilter, toLineFilter } from "../../apps/app-logs/index.ts";
import type { Line, LogPage, LogQuery } from "./contract.ts";

/** What of a log is wanted. */
export interface Filter extends LineFilter {
  /** The newest so many that fit. */
  count: number;
  /** Lines before and after each. */
  context: number;
}

/** What was found in one log. */
export interface Found {
  from: string;
  /** Oldest first. */
  hits: Hit<Line>[];
  note: string | null;
}

const DEFAULT_LINES = 200;

/** The filter that a query asks for. Throws `invalid_request` for what is no moment, `log_pattern_refused` for what is no pattern. */
export const toFilter = ({ lines = DEFAULT_LINES, ...query }: LogQuery): Filter => ({
  ...toLineFilter(query),
  count: lines,
  context: 0,
});

/** How findHits is asked for it. */
export const toSearch = (filter: Filter) => ({ filter, context: filter.context, limit: filter.count });

/** What was found, as the routes of one log answer it. */
export const presentPage = ({ from, hits, note }: Found): LogPage => ({
  from,
  lines: hits.map(({ line }) => line),
  note,
});
