import { invalid, type ListQuery } from "./contract.ts";
import { type Filter, parseFilter } from "./filter.ts";

/** Most resources of one answer. */
export const PAGE_MAX = 200;
const PAGE = 100;

/** Which resources a directory asks for. */
export interface Asked {
  filter: Filter | null;
  /** How many come before the first. */
  skip: number;
  count: number;
}

function whole(text: string | undefined, name: string, otherwise: number): number {
  if (text === undefined || text === "") return otherwise;
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw invalid(`${name} has to be a whole number.`);
  return value;
}

/** Reads a query of RFC 7644 §3.4.2: what is too small counts as the smallest. Throws `scim_invalid`. */
export function readAsked({ filter, startIndex, count }: ListQuery): Asked {
  return {
    filter: filter === undefined || filter.trim() === "" ? null : parseFilter(filter),
    skip: Math.max(1, whole(startIndex, "startIndex", 1)) - 1,
    count: Math.min(PAGE_MAX, Math.max(0, whole(count, "count", PAGE))),
  };
}

/** A page of what was found, as RFC 7644 words it. */
export const listed = (asked: Asked, total: number, resources: readonly unknown[]) => ({
  schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
  totalResults: total,
  startIndex: asked.skip + 1,
  itemsPerPage: resources.length,
  Resources: resources,
});
