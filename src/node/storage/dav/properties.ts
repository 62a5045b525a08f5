import type { Space } from "../../../kernel/host/space.ts";
import { elementsOf, type XmlElement } from "../../../lib/xml.ts";
import { hrefOf } from "./addresses.ts";
import { etagOf } from "./conditions.ts";
import { fail } from "./contract.ts";
import type { LockRow } from "./lock-store.ts";
import { describeLocks } from "./locks.ts";
import type { Needs } from "./needs.ts";
import type { PropertyRow } from "./property-store.ts";
import { isDav } from "./read-body.ts";
import { isFolder, type Place } from "./resolve.ts";
import { emptyElement, leaf, tag } from "./xml-write.ts";

/** What a program wants to know of files and folders. */
export type Wish =
  | { kind: "all"; besides: readonly Name[] }
  | { kind: "names" }
  | { kind: "some"; names: readonly Name[] };

interface Name {
  namespace: string;
  name: string;
}

/** A file or folder with what is kept with it and the locks that hold there. */
export interface Described {
  place: Place;
  kept: readonly PropertyRow[];
  locks: readonly LockRow[];
  /** Other locks that hold there, described already. */
  told: string;
}

/** What is the same for all that one request asks about. */
export interface World {
  needs: Needs;
  /** Room on the disk with the data; null where nobody knows. */
  space: Space | null;
}

/** Properties that one request can name; programs name some ten. */
const MAX_NAMED = 200;

/** Each name once: what a property holds is told of every file, and no file should fill the answer by itself. Throws `dav_xml_invalid`. */
function namedIn(element: XmlElement): Name[] {
  const named = new Map(
    elementsOf(element).map(({ namespace, name }) => [`${namespace} ${name}`, { namespace, name }]),
  );
  if (named.size > MAX_NAMED) throw fail("dav_xml_invalid", { reason: `it names more than ${MAX_NAMED} properties` });
  return [...named.values()];
}

/** What a program wants by the body of its request. Throws `dav_xml_invalid`. */
export function wishOf(body: XmlElement | null): Wish {
  if (body === null) return { kind: "all", besides: [] };
  const parts = isDav(body, "propfind") ? elementsOf(body) : [];
  const chosen = parts.filter((part) => ["allprop", "propname", "prop"].some((name) => isDav(part, name)));
  const [first] = chosen;
  if (first === undefined || chosen.length > 1)
    throw fail("dav_xml_invalid", { reason: "it does not say which properties are asked for" });
  if (isDav(first, "propname")) return { kind: "names" };
  if (isDav(first, "prop")) return { kind: "some", names: namedIn(first) };
  const include = parts.find((part) => isDav(part, "include"));
  return { kind: "all", besides: include === undefined ? [] : namedIn(include) };
}

const SUPPORTED = ["exclusive", "shared"]
  .map((scope) => tag("lockentry", tag("lockscope", tag(scope)) + tag("locktype", tag("write"))))
  .join("");

type Value = (described: Described, world: World) => string | null;

/** A property that follows from the file or folder; null where it has none of that name. */
const LIVE: Readonly<Record<string, Value>> = {
  resourcetype: ({ place }) => tag("resourcetype", isFolder(place) ? tag("collection") : ""),
  displayname: ({ place }) => leaf("displayname", place.node?.name ?? "Drive"),
  creationdate: ({ place }) => place.node && leaf("creationdate", place.node.created_at),
  getlastmodified: ({ place }) => place.node && leaf("getlastmodified", new Date(place.node.changed_at).toUTCString()),
  getcontentlength: ({ place }) => (isFolder(place) ? null : leaf("getcontentlength", place.node?.size_bytes ?? 0)),
  getcontenttype: ({ place }) => (isFolder(place) ? null : leaf("getcontenttype", "application/octet-stream")),
  getetag: ({ place }) => {
    const etag = etagOf(place);
    return etag && leaf("getetag", etag);
  },
  supportedlock: () => tag("supportedlock", SUPPORTED),
  lockdiscovery: ({ locks, told }, { needs }) => tag("lockdiscovery", told + describeLocks(needs, locks)),
  "quota-available-bytes": ({ place }, { space }) =>
    isFolder(place) && space ? leaf("quota-available-bytes", space.free) : null,
  "quota-used-bytes": ({ place }, { space }) =>
    isFolder(place) && space ? leaf("quota-used-bytes", space.used) : null,
};

/** Answered to those who ask for them by name alone (RFC 4331). */
const ASKED_FOR = new Set(["quota-available-bytes", "quota-used-bytes"]);

/** Whether the answer to a wish tells of the room on the disk. */
export function asksForSpace(wish: Wish): boolean {
  if (wish.kind === "names") return true;
  return (wish.kind === "some" ? wish.names : wish.besides).some(({ name }) => ASKED_FOR.has(name));
}

/** Whether a property follows from the file or folder, so that nobody can set it. */
export const isLive = ({ namespace, name }: Name): boolean => namespace === "DAV:" && Object.hasOwn(LIVE, name);

const liveValue = (name: string, described: Described, world: World): string | null =>
  (Object.hasOwn(LIVE, name) ? LIVE[name]?.(described, world) : null) ?? null;

const propstat = (inside: readonly string[], status: string): string =>
  inside.length === 0 ? "" : tag("propstat", tag("prop", inside.join("")) + leaf("status", `HTTP/1.1 ${status}`));

function allOf(described: Described, world: World): string[] {
  const names = Object.keys(LIVE).filter((name) => !ASKED_FOR.has(name));
  const live = names.flatMap((name) => liveValue(name, described, world) ?? []);
  return [...live, ...described.kept.map(({ element }) => element)];
}

function namesOf(described: Described, world: World): string[] {
  const live = Object.keys(LIVE).filter((name) => liveValue(name, described, world) !== null);
  return [...live.map((name) => tag(name)), ...described.kept.map((row) => emptyElement(row.namespace, row.name))];
}

/** What there is of those names, and the names of which there is nothing. */
function someOf(described: Described, world: World, names: readonly Name[]): { there: string[]; missing: string[] } {
  const there: string[] = [];
  const missing: string[] = [];
  for (const { namespace, name } of names) {
    const live = namespace === "DAV:" ? liveValue(name, described, world) : null;
    const kept = described.kept.find((row) => row.namespace === namespace && row.name === name)?.element;
    const value = live ?? kept;
    if (value === undefined) missing.push(emptyElement(namespace, name));
    else there.push(value);
  }
  return { there, missing };
}

/** What a program hears of one file or folder. */
export function describe(described: Described, world: World, wish: Wish): string {
  const href = leaf("href", hrefOf(described.place.names, isFolder(described.place)));
  if (wish.kind === "names") return tag("response", href + propstat(namesOf(described, world), "200 OK"));
  const { there, missing } = someOf(described, world, wish.kind === "some" ? wish.names : wish.besides);
  const all = wish.kind === "all" ? allOf(described, world) : [];
  const found = [...all, ...there.filter((value) => !all.includes(value))];
  const said = propstat(found, "200 OK") + propstat(missing, "404 Not Found");
  // Whoever asks for nothing hears that it is there.
  return tag(
    "response",
    href + (said === "" ? tag("propstat", `${tag("prop")}${leaf("status", "HTTP/1.1 200 OK")}`) : said),
  );
}
