/** Parses JSON text; null when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** True for a plain JSON object (not an array, not null). */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const [QUOTE, BACKSLASH, BRACE, BRACE_END, BRACKET, BRACKET_END, COMMA] = Buffer.from('"\\{}[],');

/** What JSON text takes to be parsed. */
export interface JsonShape {
  /** How deep brackets go. */
  nesting: number;
  /** How many values there are at most. */
  values: number;
}

/**
 * The shape of a text, without what is inside strings. By code, and from end to end of the strings that have no escapes: a text for
 * each character takes five times as long, and most of what is long is strings.
 */
export function shapeOf(text: string): JsonShape {
  let depth = 0;
  let nesting = 0;
  let values = 1;
  let backslash = -1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      if (backslash < index) backslash = indexOr(text, "\\", index + 1);
      index = endOfString(text, index, backslash);
    } else if (code === COMMA) values += 1;
    else if (code === BRACE || code === BRACKET) {
      depth += 1;
      values += 1;
      if (depth > nesting) nesting = depth;
    } else if (code === BRACE_END || code === BRACKET_END) depth -= 1;
  }
  return { nesting, values };
}

/** Where the string ends that begins at `start`: at its quote, or with the text. `backslash` is where the next one stands. */
function endOfString(text: string, start: number, backslash: number): number {
  const end = indexOr(text, '"', start + 1);
  if (end < backslash) return end;
  for (let index = backslash; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) return index;
    // An escaped character never ends a string.
    if (code === BACKSLASH) index += 1;
  }
  return text.length;
}

function indexOr(text: string, what: string, from: number): number {
  const found = text.indexOf(what, from);
  return found < 0 ? text.length : found;
}

/** How deep brackets go, those inside strings aside. */
export const nestingOf = (text: string): number => shapeOf(text).nesting;
