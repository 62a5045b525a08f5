import { kernelFail } from "../../../kernel/http/errors.ts";
import { type Names, namesOf, readAddress } from "./addresses.ts";
import { fail } from "./contract.ts";
import { type Condition, type ConditionList, readIfHeader, tokensIn } from "./if-header.ts";
import { locksReader } from "./locks.ts";
import type { Asked, Needs } from "./needs.ts";
import { finderOf, findOnce, type Place, resolveBy } from "./resolve.ts";

/** The tag of a content: its sum, in few letters, since there are programs that cut headers after two hundred. */
export const tagOf = (sha256: string): string => `"${Buffer.from(sha256, "hex").toString("base64url")}"`;

/** The tag of what a file holds; null for folders and for nothing. */
export const etagOf = ({ node }: Pick<Place, "node">): string | null =>
  node === null || node.sha256 === null ? null : tagOf(node.sha256);

/** Whether a list of tags as headers have it names one; where only reading is about it, weak ones count. */
function isNamed(header: string, etag: string | null, isThere: boolean, isWeak: boolean): boolean {
  if (header.trim() === "*") return isThere;
  const tags = header.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return etag !== null && tags.some((tag) => tag === etag || (isWeak && tag === `W/${etag}`));
}

/** Refuses a change to something else than what is there. Throws `dav_precondition`. */
export function requireMatch({ headers }: Pick<Asked, "headers">, place: Place, isThere: boolean): void {
  const match = headers.get("if-match");
  const none = headers.get("if-none-match");
  if (match !== null && !isNamed(match, etagOf(place), isThere, false)) throw fail("dav_precondition");
  if (none !== null && isNamed(none, etagOf(place), isThere, false)) throw fail("dav_precondition");
}

/** Whether whoever asks has what is there already. */
export function isKnown(headers: Headers, place: Place): boolean {
  const none = headers.get("if-none-match");
  if (none !== null) return isNamed(none, etagOf(place), true, true);
  const since = Date.parse(headers.get("if-modified-since") ?? "");
  return place.node !== null && Math.floor(Date.parse(place.node.changed_at) / 1000) * 1000 <= since;
}

/** Names that all addresses of one header may have on their way: each is looked up, while everybody else waits. */
const MAX_NAMES = 400;

/** What conditions about an address are compared with. */
interface Subject {
  etag: string | null;
  tokens: ReadonlySet<string>;
}

const holds = ({ etag, tokens }: Subject, { isNot, kind, value }: Condition): boolean =>
  (kind === "etag" ? etag === value : tokens.has(value)) !== isNot;

/** The names of the address of a list of conditions; null for one that is not in this Drive. */
function namesOfList({ path, headers }: Asked, { resource }: ConditionList): Names | null {
  try {
    return resource === null ? namesOf(path) : readAddress("if", resource, headers);
  } catch {
    return null;
  }
}

/**
 * Tells what there is at the address of a list of conditions; null for one that is not in this Drive, where no condition holds. Everybody
 * else waits meanwhile, so each address, each folder on the way and the locks are looked up once.
 */
function createSubjects(needs: Needs, asked: Asked): (list: ConditionList) => Subject | null {
  const find = findOnce(finderOf(needs, asked.by.user_id));
  const locksAt = locksReader(needs, asked.by.user_id);
  const subjects = new Map<string | null, Subject | null>();
  let left = MAX_NAMES;

  function lookUp(list: ConditionList): Subject | null {
    const names = namesOfList(asked, list);
    if (names === null) return null;
    left -= names.length;
    if (left < 0)
      throw kernelFail("invalid_request", { field: "if", reason: `names more than ${MAX_NAMES} folders on the way` });
    const place = resolveBy(find, names);
    return { etag: etagOf(place), tokens: new Set(locksAt(place).map(({ token }) => token)) };
  }

  return (list) => {
    const known = subjects.get(list.resource);
    if (known !== undefined) return known;
    const found = lookUp(list);
    subjects.set(list.resource, found);
    return found;
  };
}

/**
 * The tokens that a request shows, after its If header was found to hold: one of its lists must, with all its conditions. Throws
 * `invalid_request`, `dav_precondition`.
 */
export function shownTokens(needs: Needs, asked: Asked): Set<string> {
  const header = asked.headers.get("if");
  if (header === null) return new Set();
  const lists = readIfHeader(header);
  const subjectOf = createSubjects(needs, asked);
  const isMet = lists.some((list) => {
    const subject = subjectOf(list);
    return subject !== null && list.conditions.every((condition) => holds(subject, condition));
  });
  if (!isMet) throw fail("dav_precondition");
  return tokensIn(lists);
}
