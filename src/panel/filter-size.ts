import { kernelFail } from "../kernel/http/errors.ts";

/** Characters of a filter as JSON: lists tell it again with everything that was begun on it. */
const FILTER_MAX = 4_096;

/** Refuses a filter that is too long to be kept and told. `field` names it. Throws `invalid_request`. */
export function assertFilterSize(field: string, filter: unknown): void {
  if (JSON.stringify(filter).length <= FILTER_MAX) return;
  throw kernelFail("invalid_request", { field, reason: `must be at most ${FILTER_MAX} characters long as JSON` });
}
