import { kernelFail } from "../../../kernel/http/errors.ts";

/** One condition of an If header: about a lock, or about the content. */
export interface Condition {
  isNot: boolean;
  kind: "token" | "etag";
  value: string;
}

/** Conditions that must hold together, of one address; null is the one of the request. */
export interface ConditionList {
  resource: string | null;
  conditions: Condition[];
}

const MAX_HEADER = 16_384;
/** Addresses that one header can name: each is looked up, while everybody else waits. Clients name one or two. */
const MAX_ADDRESSES = 20;
const PIECE = /\s*(?:(\()|(\))|(not)(?=[\s<[])|<([^<>\s]*)>|\[((?:W\/)?"[^"]*")\])/iy;

const refused = (reason: string) => kernelFail("invalid_request", { field: "if", reason });
const invalid = () => refused("is not a list of conditions as RFC 4918 words them");

/**
 * Reads an If header (RFC 4918, 10.4): lists in parentheses of which one must hold, each with conditions that must hold together.
 * An address before a list says what it is about; either all lists have one or none. Throws `invalid_request`.
 */
export function readIfHeader(header: string): ConditionList[] {
  if (header.length > MAX_HEADER) throw invalid();
  const lists: ConditionList[] = [];
  let resource: string | null = null;
  let isFresh = false;
  let open: Condition[] | null = null;
  let isNot = false;
  PIECE.lastIndex = 0;
  for (let at = 0; header.slice(at).trim() !== ""; at = PIECE.lastIndex) {
    const [whole, begin, end, not, address, etag] = PIECE.exec(header) ?? [];
    if (whole === undefined) throw invalid();
    if (open === null) {
      if (address !== undefined && !isFresh) [resource, isFresh] = [address, true];
      else if (begin !== undefined) open = [];
      else throw invalid();
    } else if (end !== undefined && open.length > 0 && !isNot) {
      lists.push({ resource, conditions: open });
      [open, isFresh] = [null, false];
    } else if (not !== undefined && !isNot) isNot = true;
    else if (address !== undefined || etag !== undefined) {
      open.push({ isNot, kind: address === undefined ? "etag" : "token", value: address ?? etag ?? "" });
      isNot = false;
    } else throw invalid();
  }
  const addresses = new Set(lists.map((list) => list.resource));
  const isMixed = addresses.size > 1 && addresses.has(null);
  if (lists.length === 0 || open !== null || isFresh || isMixed) throw invalid();
  if (addresses.size > MAX_ADDRESSES) throw refused(`names more than ${MAX_ADDRESSES} addresses`);
  return lists;
}

/** Every token that a header names to hold: whoever names it shows that it is theirs. */
export const tokensIn = (lists: readonly ConditionList[]): Set<string> =>
  new Set(
    lists.flatMap(({ conditions }) =>
      conditions.filter(({ kind, isNot }) => kind === "token" && !isNot).map(({ value }) => value),
    ),
  );
