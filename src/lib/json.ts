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

/** The shape of a text, without what is inside strings. By code: a text for each character takes five times as long. */
export function shapeOf(text: string): JsonShape {
  let depth = 0;
  let nesting = 0;
  let values = 1;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) inString = !inString;
    // An escaped character never ends a string.
    if (inString && code === BACKSLASH) index += 1;
    if (inString) continue;
    if (code === COMMA) values += 1;
    if (code === BRACE || code === BRACKET) {
      depth += 1;
      values += 1;
    }
    if (code === BRACE_END || code === BRACKET_END) depth -= 1;
    if (depth > nesting) nesting = depth;
  }
  return { nesting, values };
}

/** How deep brackets go, those inside strings aside. */
export const nestingOf = (text: string): number => shapeOf(text).nesting;
