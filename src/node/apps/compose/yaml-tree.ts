import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Pair, parseDocument } from "yaml";
import { ComposeError, type ComposeProblem } from "./problem.ts";

/** A YAML value that knows its line; anchors and merge keys are already resolved. */
export type YamlNode =
  | { readonly kind: "map"; readonly line: number; readonly entries: ReadonlyMap<string, YamlNode> }
  | { readonly kind: "list"; readonly line: number; readonly items: readonly YamlNode[] }
  | { readonly kind: "scalar"; readonly line: number; readonly text: string; readonly isText: boolean }
  | { readonly kind: "null"; readonly line: number };

/** A file larger than this is no Compose file. */
const MAX_TEXT_LENGTH = 512 * 1024;
/** Anchors can multiply: a small file may stand for a huge tree. */
const MAX_NODES = 20_000;
/** An anchor can hold itself, and no Compose file is this deep. */
const MAX_DEPTH = 100;

interface Conversion {
  readonly document: Document;
  readonly lines: LineCounter;
  readonly file: string;
  nodeCount: number;
  depth: number;
}

/** Parses YAML 1.2 text with merge keys; throws ComposeError with the line of the first fault. */
export function parseYamlTree(text: string, file: string): YamlNode {
  if (text.length > MAX_TEXT_LENGTH) throw treeError(file, 0, "the file is too large", "Keep it below 512 KiB");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const fault = document.errors[0];
  if (fault !== undefined) {
    throw treeError(file, lines.linePos(fault.pos[0]).line, `not valid YAML (${fault.message})`, "Correct this line");
  }
  return convert({ document, lines, file, nodeCount: 0, depth: 0 }, document.contents, 1);
}

function convert(conversion: Conversion, value: unknown, parentLine: number): YamlNode {
  conversion.nodeCount += 1;
  const line = lineOf(conversion, value) ?? parentLine;
  if (conversion.nodeCount > MAX_NODES) {
    throw treeError(conversion.file, line, "the file stands for too many values", "Use fewer anchors");
  }
  if (conversion.depth >= MAX_DEPTH) {
    throw treeError(conversion.file, line, "the values stand too deep inside each other", "Use fewer levels");
  }
  conversion.depth += 1;
  const node = convertValue(conversion, value, line);
  conversion.depth -= 1;
  return node;
}

function convertValue(conversion: Conversion, value: unknown, line: number): YamlNode {
  if (isAlias(value)) return convert(conversion, value.resolve(conversion.document), line);
  if (isSeq(value)) return { kind: "list", line, items: value.items.map((item) => convert(conversion, item, line)) };
  if (isMap(value)) return { kind: "map", line, entries: convertEntries(conversion, value.items, line) };
  if (isScalar(value) && value.value !== null) {
    const isText = typeof value.value === "string";
    // The source keeps what a number lost: 1.10 and 0755 stay as written.
    return { kind: "scalar", line, text: isText ? String(value.value) : (value.source ?? String(value.value)), isText };
  }
  return { kind: "null", line };
}

function convertEntries(conversion: Conversion, pairs: readonly Pair[], line: number): Map<string, YamlNode> {
  const own = new Map<string, YamlNode>();
  const merged = new Map<string, YamlNode>();
  for (const pair of pairs) {
    const name = isScalar(pair.key) ? String(pair.key.value) : "";
    const keyLine = lineOf(conversion, pair.key) ?? line;
    if (name === "") throw treeError(conversion.file, keyLine, "a key is not plain text", "Write a simple key");
    const node = convert(conversion, pair.value, keyLine);
    if (name === "<<") {
      for (const [key, value] of mergeSources(conversion, node)) if (!merged.has(key)) merged.set(key, value);
      continue;
    }
    // A value starts below its key; the key's line is the one a reader looks for.
    own.set(name, { ...node, line: keyLine });
  }
  return new Map([...merged, ...own]);
}

function mergeSources(conversion: Conversion, node: YamlNode): Array<[string, YamlNode]> {
  if (node.kind === "map") return [...node.entries];
  if (node.kind === "list") return node.items.flatMap((item) => mergeSources(conversion, item));
  throw treeError(conversion.file, node.line, "<< merges something that is not a map", "Point it to an anchored map");
}

function lineOf(conversion: Conversion, value: unknown): number | null {
  if (!isAlias(value) && !isScalar(value) && !isMap(value) && !isSeq(value)) return null;
  const start = value.range?.[0];
  return start === undefined ? null : conversion.lines.linePos(start).line;
}

function treeError(file: string, line: number, message: string, nextStep: string): ComposeError {
  const problem: ComposeProblem = { file, line, key: "", message, next_step: nextStep };
  return new ComposeError([problem]);
}

/** Line of the deepest existing value along a path of keys and list positions; 0 when the text is not YAML. */
export function lineOfPath(text: string, path: readonly string[]): number {
  let node: YamlNode;
  try {
    node = parseYamlTree(text, "");
  } catch {
    return 0;
  }
  for (const key of path) {
    const next = childOf(node, key);
    if (next === null) break;
    node = next;
  }
  return node.line;
}

function childOf(node: YamlNode, key: string): YamlNode | null {
  if (node.kind === "map") return node.entries.get(key) ?? null;
  if (node.kind === "list") return node.items[Number(key)] ?? null;
  return null;
}
