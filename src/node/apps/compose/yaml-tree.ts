import type { Alias, Document, LineCounter, Node, Pair } from "yaml";
import type { Lookup } from "./interpolate.ts";
import { hasNul, NUL_PROBLEM } from "./nul.ts";
import { ComposeError, type ComposeProblem } from "./problem.ts";

/** Where something stands in a text, both from 1; both 0 for the text as a whole. */
interface Place {
  readonly line: number;
  readonly column: number;
}

const NOWHERE: Place = { line: 0, column: 0 };

/** One of the files of a project: what its paths are relative to, and where its variables come from. */
export interface Origin {
  /** Its path in the folder of the project. */
  readonly file: string;
  /** A folder of the project; empty for its own. */
  readonly folder: string;
  readonly lookup: Lookup;
}

interface NodePlace extends Place {
  /** The file that it comes from, where a project may have several. */
  readonly from?: Origin;
  /** What becomes of a value of before: it goes, or is replaced instead of added to. */
  readonly merge?: "reset" | "override";
}

/** A YAML value that knows its place; anchors and merge keys are already resolved. */
export type YamlNode =
  | (NodePlace & { readonly kind: "map"; readonly entries: ReadonlyMap<string, YamlNode> })
  | (NodePlace & { readonly kind: "list"; readonly items: readonly YamlNode[] })
  | (NodePlace & { readonly kind: "scalar"; readonly text: string; readonly isText: boolean })
  | (NodePlace & { readonly kind: "null" });

/** A file larger than this is no Compose file. */
const MAX_TEXT_LENGTH = 512 * 1024;
/** Anchors can multiply: a small file may stand for a huge tree. */
const MAX_NODES = 20_000;
/** An anchor can hold itself, and no Compose file is this deep. */
const MAX_DEPTH = 100;

type Library = typeof import("yaml");

/** Loaded with the first file: the library is among the largest, and the store of templates comes read. */
function loadLibrary(): Library {
  return require("yaml");
}

/** A text can have a fault in each of its characters, and to find out where each of them was made costs more than all else. */
function withoutTraces<Result>(read: () => Result): Result {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return read();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

interface Conversion {
  readonly yaml: Library;
  /** What each alias stands for. */
  readonly aliases: ReadonlyMap<Alias, Node>;
  readonly lines: LineCounter;
  readonly file: string;
  readonly mark: Pick<NodePlace, "from">;
  nodeCount: number;
  depth: number;
}

/** Parses YAML 1.2 text with merge keys; throws ComposeError with the line of the first fault. Its values know their `origin`, if it has one. */
export function parseYamlTree(text: string, file: string, origin?: Origin): YamlNode {
  if (text.length > MAX_TEXT_LENGTH) throw treeError(file, NOWHERE, "the file is too large", "Keep it below 512 KiB");
  const yaml = loadLibrary();
  const lines = new yaml.LineCounter();
  // That no key is there twice is seen below: the library compares each key with all before it.
  const document = withoutTraces(() =>
    yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false }),
  );
  const fault = document.errors[0];
  if (fault !== undefined) {
    const place = toPlace(lines.linePos(fault.pos[0]));
    // The library goes down by calling itself, and tells so in the words of the runtime.
    if (fault.code === "RESOURCE_EXHAUSTION") throw tooDeep(file, place);
    throw treeError(file, place, `not valid YAML (${fault.message})`, "Correct this line");
  }
  const aliases = findAliases(yaml, document);
  const mark = origin === undefined ? {} : { from: origin };
  const conversion = { yaml, aliases, lines, file, mark, nodeCount: 0, depth: 0 };
  return convert(conversion, document.contents, { line: 1, column: 1 });
}

/**
 * An alias stands for the last anchor of its name before it. Found in one walk: the library walks the document for each of them. What
 * stands too deep to be read is passed over.
 */
function findAliases(yaml: Library, document: Document): Map<Alias, Node> {
  const anchors = new Map<string, Node>();
  const aliases = new Map<Alias, Node>();
  function walk(value: unknown, depth: number): void {
    if (depth > MAX_DEPTH) return;
    if (yaml.isAlias(value)) {
      const found = anchors.get(value.source);
      if (found !== undefined) aliases.set(value, found);
      return;
    }
    if (yaml.isNode(value) && value.anchor !== undefined) anchors.set(value.anchor, value);
    if (yaml.isSeq(value)) for (const item of value.items) walk(item, depth + 1);
    if (yaml.isMap(value))
      for (const pair of value.items) {
        walk(pair.key, depth + 1);
        walk(pair.value, depth + 1);
      }
  }
  walk(document.contents, 0);
  return aliases;
}

function convert(conversion: Conversion, value: unknown, parent: Place): YamlNode {
  conversion.nodeCount += 1;
  const place = placeOf(conversion, value) ?? parent;
  if (conversion.nodeCount > MAX_NODES) {
    throw treeError(conversion.file, place, "the file stands for too many values", "Use fewer anchors");
  }
  if (conversion.depth >= MAX_DEPTH) {
    throw tooDeep(conversion.file, place);
  }
  conversion.depth += 1;
  const node = convertValue(conversion, value, place);
  conversion.depth -= 1;
  return node;
}

function convertValue(conversion: Conversion, value: unknown, at: Place): YamlNode {
  const { yaml } = conversion;
  if (yaml.isAlias(value)) return convert(conversion, conversion.aliases.get(value), at);
  const tag = yaml.isNode(value) ? value.tag : undefined;
  if (tag === "!reset") return { kind: "null", ...at, ...conversion.mark, merge: "reset" };
  const place = { ...at, ...conversion.mark, ...(tag === "!override" ? { merge: "override" as const } : {}) };
  if (yaml.isSeq(value)) {
    return { kind: "list", ...place, items: value.items.map((item) => convert(conversion, item, at)) };
  }
  if (yaml.isMap(value)) return { kind: "map", ...place, entries: convertEntries(conversion, value.items, at) };
  if (yaml.isScalar(value) && value.value !== null) {
    const isText = typeof value.value === "string";
    // The source keeps what a number lost: 1.10 and 0755 stay as written.
    const text = isText ? String(value.value) : (value.source ?? String(value.value));
    if (hasNul(text)) throw nulError(conversion.file, at);
    return { kind: "scalar", ...place, text, isText };
  }
  return { kind: "null", ...place };
}

function convertEntries(conversion: Conversion, pairs: readonly Pair[], place: Place): Map<string, YamlNode> {
  const own = new Map<string, YamlNode>();
  const names = new Set<string>();
  const merged = new Map<string, YamlNode>();
  for (const pair of pairs) {
    const name = conversion.yaml.isScalar(pair.key) ? String(pair.key.value) : "";
    const keyPlace = placeOf(conversion, pair.key) ?? place;
    if (name === "") throw treeError(conversion.file, keyPlace, "a key is not plain text", "Write a simple key");
    if (hasNul(name)) throw nulError(conversion.file, keyPlace);
    if (names.has(name))
      throw treeError(conversion.file, keyPlace, "not valid YAML (Map keys must be unique)", "Correct this line");
    names.add(name);
    const node = convert(conversion, pair.value, keyPlace);
    if (name === "<<") {
      for (const [key, value] of mergeSources(conversion, node)) if (!merged.has(key)) merged.set(key, value);
      continue;
    }
    // A value starts below its key; the key's place is the one a reader looks for.
    own.set(name, { ...node, ...keyPlace });
  }
  return new Map([...merged, ...own]);
}

function mergeSources(conversion: Conversion, node: YamlNode): Array<[string, YamlNode]> {
  if (node.kind === "map") return [...node.entries];
  if (node.kind === "list") return node.items.flatMap((item) => mergeSources(conversion, item));
  throw treeError(conversion.file, node, "<< merges something that is not a map", "Point it to an anchored map");
}

const toPlace = ({ line, col }: { line: number; col: number }): Place => ({ line, column: col });

function placeOf({ yaml, lines }: Conversion, value: unknown): Place | null {
  if (!yaml.isNode(value)) return null;
  const start = value.range?.[0];
  return start === undefined ? null : toPlace(lines.linePos(start));
}

const tooDeep = (file: string, place: Place): ComposeError =>
  treeError(file, place, "the values stand too deep inside each other", "Use fewer levels");

const nulError = (file: string, place: Place): ComposeError =>
  treeError(file, place, NUL_PROBLEM.message, NUL_PROBLEM.next_step);

function treeError(file: string, { line, column }: Place, message: string, nextStep: string): ComposeError {
  const problem: ComposeProblem = { file, line, column, key: "", message, next_step: nextStep };
  return new ComposeError([problem]);
}

/** Where a path of keys ends in a text: how many of its keys are there, and the place of the last one. */
export type FindPath = (path: readonly string[]) => Place & { readonly depth: number };

/** Finds paths of keys and list positions in a text, which is read once, when the first is asked for. */
export function createPathFinder(text: string): FindPath {
  let root: YamlNode | null | undefined;
  return (path) => {
    if (root === undefined) root = readTree(text);
    if (root === null) return { ...NOWHERE, depth: 0 };
    let node = root;
    let depth = 0;
    for (const key of path) {
      const next = childOf(node, key);
      if (next === null) break;
      node = next;
      depth += 1;
    }
    return { line: node.line, column: node.column, depth };
  };
}

/** Null for a text that cannot be read. */
function readTree(text: string): YamlNode | null {
  try {
    return parseYamlTree(text, "");
  } catch {
    return null;
  }
}

function childOf(node: YamlNode, key: string): YamlNode | null {
  if (node.kind === "map") return node.entries.get(key) ?? null;
  if (node.kind === "list") return node.items[Number(key)] ?? null;
  return null;
}
