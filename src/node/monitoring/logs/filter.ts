import { type LineFilter, toLineFilter } from "../../apps/app-logs/index.ts";
import type { LogQuery } from "./contract.ts";

/** What of a log is wanted. */
export interface Filter extends LineFilter {
  /** The newest so many that fit. */
  count: number;
}

const DEFAULT_LINES = 200;

/** The filter that a query asks for. Throws `invalid_request` for what is no moment. */
export const toFilter = ({ lines = DEFAULT_LINES, ...query }: LogQuery): Filter => ({
  ...toLineFilter(query),
  count: lines,
});
