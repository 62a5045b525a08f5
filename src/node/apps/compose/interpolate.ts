/** Gives the value of a variable; `null` when it has none. */
export type Lookup = (name: string) => string | null;

/** Thrown for text that cannot be interpolated; the caller knows the place. */
export class InterpolationError extends Error {
  readonly nextStep: string;

  constructor(message: string, nextStep: string) {
    super(message);
    this.nextStep = nextStep;
  }
}

/** Each level reads the rest of the text again: a short text could keep the program busy for minutes. */
const MAX_DEPTH = 20;
/** No variable of a process may be longer; a few lines that each name the one before twice would fill the memory. */
const MAX_LENGTH = 131_072;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*/;

/**
 * Replaces `$NAME`, `${NAME}`, `${NAME:-default}`, `${NAME-default}`, `${NAME:?why}`, `${NAME?why}`, `${NAME:+other}`,
 * `${NAME+other}` and `$$` as Compose does; defaults may hold variables themselves. Unlike Compose, a variable without
 * value and without default is an error, because an empty password or path is never meant.
 */
export function interpolate(text: string, lookup: Lookup): string {
  return interpolateAt(text, lookup, 0);
}

function interpolateAt(text: string, lookup: Lookup, depth: number): string {
  if (depth > MAX_DEPTH) {
    throw new InterpolationError("variables stand too deep inside each other", "Write the default out");
  }
  let result = "";
  let position = 0;
  while (position < text.length) {
    const dollar = text.indexOf("$", position);
    if (dollar < 0) return result + text.slice(position);
    result += text.slice(position, dollar);
    const piece = readReference(text, dollar, lookup, depth);
    result += piece.value;
    position = piece.end;
    if (result.length > MAX_LENGTH)
      throw new InterpolationError(`with its variables this is longer than ${MAX_LENGTH} letters`, "Make it shorter");
  }
  return result;
}

interface Piece {
  readonly value: string;
  /** Index of the first character after the reference. */
  readonly end: number;
}

function readReference(text: string, dollar: number, lookup: Lookup, depth: number): Piece {
  const next = text[dollar + 1];
  if (next === "$") return { value: "$", end: dollar + 2 };
  if (next === "{") {
    const close = closingBrace(text, dollar + 2);
    return { value: resolveBraced(text.slice(dollar + 2, close), lookup, depth), end: close + 1 };
  }
  const name = NAME.exec(text.slice(dollar + 1))?.[0];
  if (name === undefined) throw new InterpolationError("a single $ has no meaning", "Write $$ for a dollar sign");
  return { value: requireValue(name, lookup), end: dollar + 1 + name.length };
}

function closingBrace(text: string, start: number): number {
  let depth = 1;
  for (let index = start; index < text.length; index += 1) {
    if (text[index] === "$" && text[index + 1] === "{") depth += 1;
    if (text[index] === "}") depth -= 1;
    if (depth === 0) return index;
  }
  throw new InterpolationError(`\${ without a closing }`, "Close the brace, or write $$ for a dollar sign");
}

function resolveBraced(inner: string, lookup: Lookup, depth: number): string {
  const name = NAME.exec(inner)?.[0];
  if (name === undefined) {
    throw new InterpolationError(`\${${inner}} names no variable`, "Write a name of letters, digits and _");
  }
  const rest = inner.slice(name.length);
  if (rest === "") return requireValue(name, lookup);
  const operator = /^:?[-?+]/.exec(rest)?.[0];
  if (operator === undefined) {
    throw new InterpolationError(
      `\${${inner}} is not a form that Compose knows`,
      `Write \${NAME} or \${NAME:-default}`,
    );
  }
  const operand = rest.slice(operator.length);
  const value = lookup(name);
  const isMissing = value === null || (value === "" && operator.startsWith(":"));
  if (operator.endsWith("+")) return isMissing ? "" : interpolateAt(operand, lookup, depth + 1);
  if (!isMissing) return value;
  if (operator.endsWith("-")) return interpolateAt(operand, lookup, depth + 1);
  throw new InterpolationError(`${name} is required: ${operand || "it has no value"}`, `Give ${name} a value`);
}

function requireValue(name: string, lookup: Lookup): string {
  const value = lookup(name);
  if (value !== null) return value;
  throw new InterpolationError(`${name} has no value`, `Give ${name} a value or write \${${name}:-default}`);
}
