import { InterpolationError, interpolate, type Lookup } from "./interpolate.ts";
import { boundProblems, ComposeError, type ComposeProblem, isFull } from "./problem.ts";
import { parseBytes, parseDurationMs } from "./units.ts";
import type { YamlNode } from "./yaml-tree.ts";

/** A template of the catalogue, or a file that a user runs as a project of its own. */
export type Dialect = "template" | "project";

/** What a config or a secret is: a file of the server, or its text. */
export type FileSource =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "content"; readonly text: string };

/** The `.env` of a project: as it is written, and what it says. */
export interface EnvFile {
  readonly text: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** One pass over a file: where values come from and what was found wrong. */
export interface Reading {
  readonly file: string;
  readonly lookup: Lookup;
  /** Whose file it is: a template's services are named and bounded by us, a user's file says so itself. */
  readonly dialect: Dialect;
  /** All texts of the project by their paths, where it may have several. */
  readonly texts: ReadonlyMap<string, string>;
  /** The `.env` that `env_file:` hands to a container. */
  readonly envFile: EnvFile;
  /** What is declared below `configs:` and `secrets:`. */
  readonly sources: Readonly<Record<"config" | "secret", Map<string, FileSource>>>;
  readonly problems: ComposeProblem[];
  readonly budget: Budget;
}

/** What is left of what one reading may take. */
export interface Budget {
  letters: number;
  ports: number;
}

/** What a value takes besides its letters. */
export const VALUE = 100;

/** A value and the path of keys that leads to it. */
export interface Field {
  readonly key: string;
  readonly node: YamlNode;
}

/** Records a problem at a field; reading goes on, so that a file shows its faults at once. Throws ComposeError after so many. */
export function report(reading: Reading, field: Field, message: string, nextStep: string): void {
  const { line, column, from } = field.node;
  const file = from?.file ?? reading.file;
  addProblems(reading, [{ file, line, column, key: field.key, message, next_step: nextStep }]);
}

/** Records what was found elsewhere. Throws ComposeError after so many. */
export function addProblems(reading: Reading, problems: readonly ComposeProblem[]): void {
  reading.problems.push(...boundProblems(problems));
  if (isFull(reading.problems)) throw faultOf(reading);
}

/** All that was found, as it stands in the project's own file, then in the others. */
export function faultOf({ file, problems }: Reading): ComposeError {
  const rank = (problem: ComposeProblem) => (problem.file === file ? "" : problem.file);
  const sorted = problems.toSorted((left, right) => rank(left).localeCompare(rank(right)) || left.line - right.line);
  return new ComposeError(boundProblems(sorted));
}

/** Records the last problem of a reading that goes on no more. Throws ComposeError. */
export function endReading(reading: Reading, field: Field, message: string, nextStep: string): never {
  report(reading, field, message, nextStep);
  throw faultOf(reading);
}

/** Takes from what a reading may take. Throws ComposeError when there is no more. */
export function spend(reading: Reading, field: Field, letters: number): void {
  reading.budget.letters -= letters;
  if (reading.budget.letters < 0) {
    const next = "Use fewer anchors and variables, or shorter values";
    endReading(reading, field, "the file stands for too much text", next);
  }
}

/** Where variables in a value come from. */
export const lookupOf = (reading: Reading, { node }: Field): Lookup => node.from?.lookup ?? reading.lookup;

/** Records that a key is outside the subset. */
export function reportUnsupported(reading: Reading, field: Field, hint: string | undefined): void {
  report(reading, field, "this key is not supported", hint ?? "Remove it");
}

/** Fields of a map by name; empty, with a problem, when it is not a map. An empty value counts as an empty map. */
export function readMap(reading: Reading, field: Field): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>();
  if (field.node.kind === "null") return fields;
  if (field.node.kind !== "map") {
    report(reading, field, "a map is expected here", "Write key: value lines below it");
    return fields;
  }
  for (const [name, node] of field.node.entries) {
    spend(reading, field, VALUE + name.length);
    fields.set(name, { key: `${field.key}.${name}`, node });
  }
  return fields;
}

/** Fields of a list; empty, with a problem, when it is not a list. */
export function readList(reading: Reading, field: Field): readonly Field[] {
  if (field.node.kind === "null") return [];
  if (field.node.kind === "list") {
    spend(reading, field, VALUE * field.node.items.length);
    return field.node.items.map((node, index) => ({ key: `${field.key}[${index}]`, node }));
  }
  report(reading, field, "a list is expected here", "Write one - item per line");
  return [];
}

/** Interpolated text of a scalar; `null`, with a problem, when there is none. */
export function readText(reading: Reading, field: Field): string | null {
  if (field.node.kind !== "scalar") {
    report(reading, field, "a single value is expected here", "Write one text or number");
    return null;
  }
  spend(reading, field, field.node.text.length);
  if (!field.node.isText) return field.node.text;
  try {
    const text = interpolate(field.node.text, lookupOf(reading, field));
    spend(reading, field, text.length);
    return text;
  } catch (error) {
    if (!(error instanceof InterpolationError)) throw error;
    report(reading, field, error.message, error.nextStep);
    return null;
  }
}

/** `true` or `false`; also as text, as an interpolated value arrives. */
export function readBoolean(reading: Reading, field: Field): boolean {
  const text = readText(reading, field);
  if (text !== null && text !== "true" && text !== "false") {
    report(reading, field, `${text} is neither true nor false`, "Write true or false");
  }
  return text === "true";
}

/** A number of at least `minimum`. */
export function readNumber(reading: Reading, field: Field, minimum: number): number | null {
  const text = readText(reading, field);
  if (text === null) return null;
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value >= minimum) return value;
  report(reading, field, `${text} is not a number of at least ${minimum}`, "Write a plain number");
  return null;
}

/** A whole number of at least `minimum`. */
export function readInteger(reading: Reading, field: Field, minimum: number): number | null {
  const value = readNumber(reading, field, minimum);
  if (value === null || Number.isInteger(value)) return value;
  report(reading, field, `${value} is not a whole number`, "Write a whole number");
  return null;
}

/** A duration in milliseconds. */
export function readDurationMs(reading: Reading, field: Field): number | null {
  const text = readText(reading, field);
  if (text === null) return null;
  const value = parseDurationMs(text);
  if (value === null) report(reading, field, `${text} is not a duration`, "Write it like 30s, 1m30s or 500ms");
  return value;
}

/** A size in bytes. */
export function readBytes(reading: Reading, field: Field): number | null {
  const text = readText(reading, field);
  if (text === null) return null;
  const value = parseBytes(text);
  if (value === null) report(reading, field, `${text} is not a size`, "Write it like 512m or 2g");
  return value;
}

/** Texts of a list, or the one text of a scalar. */
export function readTexts(reading: Reading, field: Field): string[] {
  const fields = field.node.kind === "scalar" ? [field] : readList(reading, field);
  return fields.flatMap((item) => readText(reading, item) ?? []);
}

/**
 * A map of texts, written as `KEY: value` or as a list of `KEY=value`. A key without value takes the variable of its own
 * name, and is left out when that has none: Compose hands such keys through.
 */
export function readTextMap(reading: Reading, field: Field): Record<string, string> {
  return readPairs(reading, field, (name, item) => {
    const value = lookupOf(reading, item)(name);
    spend(reading, item, value?.length ?? 0);
    return value;
  });
}

/**
 * The same for labels, whose names without a value have an empty one. Those by which Compose and Orrery tell whose a thing is, and who
 * may open it, are not the file's to give.
 */
export function readLabels(reading: Reading, field: Field): Record<string, string> {
  const labels = readPairs(reading, field, () => "");
  const taken = Object.keys(labels).find((label) => /^(orrery|com\.docker\.compose)\./.test(label));
  if (taken !== undefined) report(reading, field, `the label ${taken} is kept for the project itself`, "Remove it");
  return labels;
}

function readPairs(
  reading: Reading,
  field: Field,
  emptyAs: (name: string, item: Field) => string | null,
): Record<string, string> {
  // Collected first: assigning to a name such as __proto__ would lose the value.
  const result = new Map<string, string>();
  if (field.node.kind === "list") {
    for (const item of readList(reading, field)) {
      const text = readText(reading, item);
      if (text === null) continue;
      const split = text.indexOf("=");
      const name = split < 0 ? text : text.slice(0, split);
      const value = split < 0 ? emptyAs(name, item) : text.slice(split + 1);
      if (value !== null) result.set(name, value);
    }
    return Object.fromEntries(result);
  }
  for (const [name, item] of readMap(reading, field)) {
    const value = item.node.kind === "null" ? emptyAs(name, item) : readText(reading, item);
    if (value !== null) result.set(name, value);
  }
  return Object.fromEntries(result);
}
