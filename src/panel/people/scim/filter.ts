import { isRecord } from "../../../lib/json.ts";
import { invalid } from "./contract.ts";

/** What a filter asks of a resource. */
export type Filter =
  | { op: "and" | "or"; left: Filter; right: Filter }
  | { op: "not"; of: Filter }
  | { op: "pr"; path: readonly string[] }
  | { op: Comparison; path: readonly string[]; value: string | number | boolean | null };

const COMPARISONS = ["eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le"] as const;
type Comparison = (typeof COMPARISONS)[number];

/** How deeply a filter may be nested, and how many words it may have. */
const DEPTH_MAX = 20;
const TOKENS_MAX = 100;

const TOKEN = /\s*(?:("(?:[^"\\]|\\.)*")|([()[\]])|([^\s()[\]"]+))/y;
const badFilter = (why: string) => invalid(`The filter cannot be read: ${why}.`, "invalidFilter");

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  const whole = text.trim();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < whole.length) {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(whole);
    if (!found) throw badFilter(`it is broken at character ${at + 1}`);
    tokens.push(found[0].trim());
    if (tokens.length > TOKENS_MAX) throw badFilter("it is too long");
  }
  return tokens;
}

/** The parts of an attribute's name in small letters; the schema before it says nothing more. */
export function pathOf(name: string): string[] {
  const plain = /^urn:/i.test(name) ? name.slice(name.lastIndexOf(":") + 1) : name;
  return plain.toLowerCase().split(".");
}

/** Reads a filter of RFC 7644 §3.4.2.2. Throws `scim_invalid` (`invalidFilter`). */
export function parseFilter(text: string): Filter {
  const tokens = tokensOf(text);
  let at = 0;
  const is = (word: string): boolean => tokens[at]?.toLowerCase() === word;
  const take = (): string => {
    const token = tokens[at];
    if (token === undefined) throw badFilter("it ends too early");
    at += 1;
    return token;
  };
  const expect = (word: string): void => {
    if (take() !== word) throw badFilter(`a ${word} is missing`);
  };

  function readAny(depth: number): Filter {
    let left = readAll(depth);
    while (is("or")) {
      at += 1;
      left = { op: "or", left, right: readAll(depth) };
    }
    return left;
  }

  function readAll(depth: number): Filter {
    let left = readOne(depth);
    while (is("and")) {
      at += 1;
      left = { op: "and", left, right: readOne(depth) };
    }
    return left;
  }

  function readOne(depth: number): Filter {
    if (depth > DEPTH_MAX) throw badFilter("it is nested too deeply");
    if (is("not")) {
      at += 1;
      expect("(");
      const of = readAny(depth + 1);
      expect(")");
      return { op: "not", of };
    }
    if (is("(")) {
      at += 1;
      const inner = readAny(depth + 1);
      expect(")");
      return inner;
    }
    const path = pathOf(take());
    if (is("[")) {
      at += 1;
      const inner = within(path, readAny(depth + 1));
      expect("]");
      return inner;
    }
    const word = take().toLowerCase();
    if (word === "pr") return { op: "pr", path };
    const op = COMPARISONS.find((each) => each === word);
    if (!op) throw badFilter(`there is no operator ${word.slice(0, 20)}`);
    return { op, path, value: readValue(take()) };
  }

  const filter = readAny(0);
  if (at < tokens.length) throw badFilter(`nothing is expected at ${tokens[at]?.slice(0, 20)}`);
  return filter;
}

/** A filter on the parts of an attribute: each of its names stands below that one. */
function within(path: readonly string[], filter: Filter): Filter {
  switch (filter.op) {
    case "and":
    case "or":
      return { op: filter.op, left: within(path, filter.left), right: within(path, filter.right) };
    case "not":
      return { op: "not", of: within(path, filter.of) };
    default:
      return { ...filter, path: [...path, ...filter.path] };
  }
}

function readValue(token: string): string | number | boolean | null {
  try {
    const value: unknown = JSON.parse(token.startsWith('"') ? token : token.toLowerCase());
    // Half a character, or what no database keeps.
    if (typeof value === "string" && (value.includes("\0") || !value.isWellFormed())) throw new Error("no text");
    if (value === null || ["string", "number", "boolean"].includes(typeof value)) return value as string;
  } catch {}
  throw badFilter(`${token.slice(0, 20)} is no value`);
}

/** All values that stand at a path, of each entry where there are several. */
function valuesAt(resource: unknown, path: readonly string[]): unknown[] {
  if (Array.isArray(resource)) return resource.flatMap((one) => valuesAt(one, path));
  const [name, ...rest] = path;
  if (name === undefined) return isRecord(resource) && "value" in resource ? [resource["value"]] : [resource];
  if (!isRecord(resource)) return [];
  const key = Object.keys(resource).find((each) => each.toLowerCase() === name);
  return key === undefined ? [] : valuesAt(resource[key], rest);
}

const small = (value: unknown): unknown => (typeof value === "string" ? value.toLowerCase() : value);

/** Compares values in small letters. */
function compares(op: Comparison, left: unknown, right: unknown): boolean {
  // Some directories write truth as text.
  if (op === "eq") return left === right || (typeof left === "boolean" && String(left) === right);
  if (typeof left !== "string" || typeof right !== "string") return false;
  if (op === "co") return left.includes(right);
  if (op === "sw") return left.startsWith(right);
  if (op === "ew") return left.endsWith(right);
  if (op === "gt") return left > right;
  if (op === "ge") return left >= right;
  return op === "lt" ? left < right : left <= right;
}

/** True for a resource that a filter means. Text is compared without regard to case. */
export function matches(filter: Filter, resource: unknown): boolean {
  /** Looked up once for each path: a group may have ten thousand members, and a filter name them twenty times. */
  const known = new Map<string, unknown[]>();
  const at = (path: readonly string[]): unknown[] => {
    const key = path.join(".");
    const values = known.get(key) ?? valuesAt(resource, path).map(small);
    known.set(key, values);
    return values;
  };
  const some = (op: Comparison, path: readonly string[], wanted: unknown): boolean => {
    const right = small(wanted);
    return at(path).some((left) => compares(op, left, right));
  };

  function fits(part: Filter): boolean {
    switch (part.op) {
      case "and":
        return fits(part.left) && fits(part.right);
      case "or":
        return fits(part.left) || fits(part.right);
      case "not":
        return !fits(part.of);
      case "pr":
        return at(part.path).some((value) => value !== null && value !== undefined && value !== "");
      case "ne":
        return !some("eq", part.path, part.value);
      default:
        return some(part.op, part.path, part.value);
    }
  }
  return fits(filter);
}

/** The text that an attribute has to equal, where that is all that is asked; null otherwise. */
export function equals(filter: Filter | null, name: string): string | null {
  if (filter?.op !== "eq" || filter.path.join(".") !== name.toLowerCase()) return null;
  return typeof filter.value === "string" ? filter.value : null;
}

/** How many comparisons a filter takes for one resource at most. */
export function costOf(filter: Filter): number {
  if (filter.op === "and" || filter.op === "or") return costOf(filter.left) + costOf(filter.right);
  return filter.op === "not" ? costOf(filter.of) : 1;
}
