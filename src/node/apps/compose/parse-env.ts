import { InterpolationError, interpolate, type Lookup } from "./interpolate.ts";
import { findNul } from "./nul.ts";
import type { ComposeProblem } from "./problem.ts";

/** `NAME=`, `export NAME=`, with Compose's other separator `NAME: ` too. */
const NAME = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*(?:=|:(?=[ \t]|$))[ \t]*/;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\" };

/** A value as it is written: its text, how far it goes, and whether variables in it are looked up. */
interface Written {
  text: string;
  end: number;
  isRaw: boolean;
}

const endOfLine = (text: string, from: number): number => {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
};

/** What may stand behind a closing quote: nothing, or a comment. */
const isRest = (text: string): boolean => /^\s*(#.*)?$/.test(text);

/** The value that begins there, over several lines in quotes; null where a quote stays open or something follows it. */
function readValue(text: string, start: number): Written | null {
  const quote = text[start];
  if (quote !== '"' && quote !== "'") {
    const end = endOfLine(text, start);
    return {
      text: text
        .slice(start, end)
        .replace(/(^|\s)#.*$/, "")
        .trimEnd(),
      end,
      isRaw: false,
    };
  }
  let close = start + 1;
  while (close < text.length && text[close] !== quote) close += quote === '"' && text[close] === "\\" ? 2 : 1;
  if (close >= text.length) return null;
  const end = endOfLine(text, close);
  if (!isRest(text.slice(close + 1, end))) return null;
  return { text: text.slice(start + 1, close), end, isRaw: quote === "'" };
}

/** Escapes of a value in double quotes; `\$` becomes the `$$` that stands for a plain dollar sign. */
const expandEscapes = (text: string): string =>
  text.replace(/\\(.)/gs, (all, letter: string) => (letter === "$" ? "$$" : (ESCAPES[letter] ?? all)));

/**
 * The variables of a text such as `.env` as Compose reads it: quotes that go over lines, comments, `export`, and variables of the
 * lines above, before which those of the project count. What stands in the file for a variable without a value is refused, as in the Compose file.
 */
export function parseEnv(
  text: string,
  file = ".env",
  lookup: Lookup = () => null,
): { variables: Record<string, string>; problems: ComposeProblem[] } {
  const variables = new Map<string, string>();
  const problems = findNul(text, file);
  const find: Lookup = (name) => lookup(name) ?? variables.get(name) ?? null;
  const lines = text.replace(/\r\n?/g, "\n").replace(/^\uFEFF/, "");
  let line = 1;
  for (let at = 0; at < lines.length; ) {
    const end = endOfLine(lines, at);
    const head = lines.slice(at, end);
    const indent = head.length - head.trimStart().length;
    const [match, name] = NAME.exec(head.trimStart()) ?? [];
    const report = (message: string, next_step: string, key = name ?? "") =>
      problems.push({ file, line, column: indent + 1, key, message, next_step });
    const next = (from: number) => {
      line += lines.slice(at, from).split("\n").length;
      at = from + 1;
    };
    if (isRest(head)) {
      next(end);
      continue;
    }
    if (match === undefined || name === undefined) {
      report("this line is no variable", "Write NAME=value");
      next(end);
      continue;
    }
    const value = readValue(lines, at + indent + match.length);
    if (value === null) {
      report("the quote is not closed, or something follows it", "Put quotes around the whole value or around nothing");
      next(end);
      continue;
    }
    try {
      const isQuoted = lines[at + indent + match.length] === '"';
      const written = isQuoted ? expandEscapes(value.text) : value.text;
      variables.set(name, value.isRaw ? value.text : interpolate(written, find));
    } catch (error) {
      if (!(error instanceof InterpolationError)) throw error;
      report(error.message, `${error.nextStep}, or put single quotes around the value`);
    }
    next(value.end);
  }
  return { variables: Object.fromEntries(variables), problems };
}
