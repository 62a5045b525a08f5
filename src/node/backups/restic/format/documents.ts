import { isRecord, nestingOf, parseJson } from "../../../../lib/json.ts";
import { damaged, overLimit } from "./failure.ts";
import { assertPlain, shownName, unquoteName } from "./names.ts";

const ID = /^[0-9a-f]{64}$/;
const DEEPEST = 64;
/** Objects and lists in a document: in memory each takes many times what it takes as text. */
const MOST_VALUES = 2_000_000;
/** Names of values: restic has some dozens. Values that each have one of their own take twenty times what they take as text. */
const MOST_NAMES = 1_000;
/** Entries of a folder: restic writes no more into a document of the size that is read. */
export const MOST_NODES = 300_000;
const MOST_NAME = 300;
/** Characters of the paths and of the tags of a snapshot; it is listed with ten thousand others. */
const MOST_WORDS = 4096;
/** A pack's place of a byte at most. */
const MOST_OFFSET = 2 ** 32 - 1;

/** Where a blob lies. */
export interface IndexedBlob {
  id: string;
  isTree: boolean;
  at: number;
  length: number;
  /** Bytes when it is unpacked; 0 where it is not packed. */
  plain: number;
}

/** A pack and what an index says is in it. */
export interface IndexedPack {
  id: string;
  blobs: IndexedBlob[];
}

/** A snapshot, without what it holds. */
export interface ResticSnapshot {
  id: string;
  tree: string;
  /** Milliseconds since 1970. */
  at: number;
  host: string;
  user: string;
  paths: string[];
  tags: string[];
  /** Bytes of all files in it; null where the program that made it did not say. */
  bytes: number | null;
  files: number | null;
}

/** What lies in a folder. */
export interface ResticNode {
  /** As people read it. */
  name: string;
  /** As it was. */
  raw: Buffer;
  kind: "file" | "folder" | "link" | "other";
  mode: number;
  uid: number;
  gid: number;
  /** Whole seconds since 1970, and the digits behind the point. */
  mtime: number;
  fraction: string;
  size: number;
  link: Buffer | null;
  content: string[];
  subtree: string | null;
  /** The same for all names of one file; null where it has one alone. */
  twin: string | null;
  attributes: { name: string; value: Buffer }[];
}

export const isId = (value: unknown): value is string => typeof value === "string" && ID.test(value);

const countOf = (value: unknown): number => (Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : 0);

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The first words of a list, as many as are shown. */
function wordsOf(value: unknown): string[] {
  let room = MOST_WORDS;
  return listOf(value).filter((one): one is string => {
    room -= typeof one === "string" ? one.length + 1 : 0;
    return typeof one === "string" && room >= 0;
  });
}

const [BRACE, BRACKET, QUOTE, BACKSLASH, COLON] = Buffer.from('{["\\:');

/** How many objects and lists a text could have. */
function valuesOf(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte === BRACE || byte === BRACKET) count += 1;
  return count;
}

/** Whether values go by so many names that each takes memory of its own. A colon outside of strings follows a name. */
function hasManyNames(text: string): boolean {
  const names = new Set<string>();
  let [start, end, inString] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      if (inString) end = at;
      else start = at + 1;
      inString = !inString;
    } else if (inString) {
      // An escaped character never ends a string.
      if (code === BACKSLASH) at += 1;
    } else if (code === COLON) {
      names.add(text.slice(start, end));
      if (names.size > MOST_NAMES) return true;
    }
  }
  return false;
}

/** Throws `restic_damaged` and `restic_limit`. */
function parseRecord(bytes: Uint8Array, what: string): Record<string, unknown> {
  if (valuesOf(bytes) > MOST_VALUES) throw overLimit(`${what} has more than ${MOST_VALUES} values`);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  // The parser of the runtime goes down as deep as a text does.
  if (hasManyNames(text)) throw overLimit(`${what} has more than ${MOST_NAMES} names of values`);
  const value = nestingOf(text) > DEEPEST ? null : parseJson(text);
  if (!isRecord(value)) throw damaged(`${what} is no document of restic`);
  return value;
}

/** The version and id of a repository. Throws `restic_damaged`. */
export function parseConfig(bytes: Uint8Array): { version: number; id: string } {
  const { version, id } = parseRecord(bytes, "config");
  if (!Number.isSafeInteger(version) || !isId(id)) throw damaged("config is no document of restic");
  return { version: Number(version), id };
}

function parseBlob(value: unknown, name: string): IndexedBlob {
  const blob = isRecord(value) ? value : {};
  const { id, type, offset, length } = blob;
  const plain = blob["uncompressed_length"] ?? 0;
  const numbers = [offset, length, plain];
  const isRight = numbers.every((one) => Number.isSafeInteger(one) && Number(one) >= 0 && Number(one) <= MOST_OFFSET);
  if (!isRight || !isId(id) || (type !== "data" && type !== "tree"))
    throw damaged(`${name} names a blob that cannot be`);
  return { id, isTree: type === "tree", at: Number(offset), length: Number(length), plain: Number(plain) };
}

/** The packs of an index file. Throws `restic_damaged`. */
export function* parseIndex(bytes: Uint8Array, name: string): Generator<IndexedPack> {
  for (const pack of listOf(parseRecord(bytes, name)["packs"])) {
    if (!isRecord(pack) || !isId(pack["id"])) throw damaged(`${name} names a pack that cannot be`);
    yield { id: pack["id"], blobs: listOf(pack["blobs"]).map((blob) => parseBlob(blob, name)) };
  }
}

/** A moment as Go writes it, nine digits behind the point. */
function momentOf(value: unknown): { seconds: number; fraction: string } {
  const [, day, fraction = "", zone] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(textOf(value)) ?? [];
  const at = Date.parse(`${day}${zone}`);
  return Number.isNaN(at) ? { seconds: 0, fraction: "" } : { seconds: at / 1000, fraction };
}

/** Throws `restic_damaged`. */
export function parseSnapshot(bytes: Uint8Array, id: string): ResticSnapshot {
  const snapshot = parseRecord(bytes, `snapshots/${id}`);
  const { tree, summary } = snapshot;
  if (!isId(tree)) throw damaged(`snapshots/${id} names no tree`);
  const { seconds, fraction } = momentOf(snapshot["time"]);
  const summed = isRecord(summary) ? summary : null;
  return {
    id,
    tree,
    at: seconds * 1000 + Math.floor(Number(`0.${fraction || "0"}`) * 1000),
    host: textOf(snapshot["hostname"]).slice(0, MOST_NAME),
    user: textOf(snapshot["username"]).slice(0, MOST_NAME),
    paths: wordsOf(snapshot["paths"]),
    tags: wordsOf(snapshot["tags"]),
    bytes: summed && countOf(summed["total_bytes_processed"]),
    files: summed && countOf(summed["total_files_processed"]),
  };
}

const KINDS: Readonly<Record<string, ResticNode["kind"]>> = { file: "file", dir: "folder", symlink: "link" };
/** Bits of Go's modes that Unix has elsewhere. */
const MODES: readonly (readonly [go: number, unix: number])[] = [
  [2 ** 23, 0o4000],
  [2 ** 22, 0o2000],
  [2 ** 20, 0o1000],
];

function modeOf(value: unknown): number {
  const mode = countOf(value);
  return MODES.reduce((all, [go, unix]) => (Math.floor(mode / go) % 2 === 1 ? all | unix : all), mode % 0o1000);
}

const linkOf = ({ linktarget, linktarget_raw }: Record<string, unknown>): Buffer =>
  typeof linktarget_raw === "string" ? Buffer.from(linktarget_raw, "base64") : Buffer.from(textOf(linktarget));

/** Names of attributes as an archive can have them. */
const ATTRIBUTE = /^[\x21-\x3c\x3e-\x7e]{1,255}$/;

function attributesOf(value: unknown): ResticNode["attributes"] {
  return listOf(value).flatMap((one) => {
    if (!isRecord(one) || !ATTRIBUTE.test(textOf(one["name"]))) return [];
    return [{ name: textOf(one["name"]), value: Buffer.from(textOf(one["value"]), "base64") }];
  });
}

function parseNode(value: unknown): ResticNode {
  if (!isRecord(value)) throw damaged("A folder in it is no document of restic");
  const quoted = textOf(value["name"]);
  const raw = unquoteName(quoted);
  assertPlain(raw);
  const kind = KINDS[textOf(value["type"])] ?? "other";
  const content = kind === "file" ? listOf(value["content"]) : [];
  const subtree = kind === "folder" ? value["subtree"] : null;
  if (!content.every(isId) || (subtree !== null && !isId(subtree)))
    throw damaged("A folder in it names what cannot be");
  const link = kind === "link" ? linkOf(value) : null;
  if (link?.includes(0) === true) throw damaged("A link in it leads nowhere");
  const { seconds, fraction } = momentOf(value["mtime"]);
  const isTwin = kind === "file" && countOf(value["links"]) > 1;
  return {
    name: shownName(raw, quoted),
    raw,
    kind,
    mode: modeOf(value["mode"]),
    uid: countOf(value["uid"]),
    gid: countOf(value["gid"]),
    mtime: seconds,
    fraction,
    size: kind === "file" ? countOf(value["size"]) : 0,
    link,
    content,
    subtree,
    twin: isTwin ? `${countOf(value["device_id"])} ${textOf(value["inode"]) || String(value["inode"])}` : null,
    attributes: attributesOf(value["extended_attributes"]),
  };
}

/** What lies in a folder. Throws `restic_damaged`, also for names that are there twice: one could be a way out for the other. */
export function parseTree(bytes: Uint8Array): ResticNode[] {
  const listed = listOf(parseRecord(bytes, "A folder in it")["nodes"]);
  if (listed.length > MOST_NODES) throw overLimit(`A folder in it has more than ${MOST_NODES} entries`);
  const nodes = listed.map(parseNode);
  const names = new Set(nodes.map(({ raw }) => raw.toString("latin1")));
  if (names.size !== nodes.length) throw damaged("A folder in it has a name twice");
  return nodes;
}
