import type { RE2JSSyntaxException } from "re2js";
import { type Clock, systemClock } from "./clock.ts";

/** A regular expression that looks at each character of a text once, whatever it is. */
export interface Pattern {
  /** Whether a text has it anywhere; capitals do not matter. Throws PatternCostError when it has taken too long on all texts together. */
  test(text: string): boolean;
}

/** Why a text is no pattern, as the end of a sentence about it. */
export class PatternError extends Error {}

/** A pattern took longer than it was allowed. */
export class PatternCostError extends Error {}

/** Steps of a compiled pattern: no character costs more than so many. Nobody else is served while one line of thousands of them is looked at. */
const MOST_STEPS = 600;
/** What it may take at once, and of the time that passes while lines come in; an ordinary one looks at a million lines in a second. */
const BURST_MS = 10_000;
const SHARE = 0.05;

/** A part that is longer than this is not repeated. */
const LONGEST_PART = 60;

/** What the library says of a pattern, in words that say what to do. */
const REASONS: Readonly<Record<string, string>> = {
  "missing closing )": "has a group that is not closed",
  "unexpected )": "closes a group that was not opened",
  "missing closing ]": "has a set that is not closed",
  "missing argument to repetition operator": "has nothing to repeat before its repetition",
  "invalid nested repetition operator": "repeats a repetition",
  "invalid repeat count": "counts repetitions that end before they begin, or more than 1000 of them",
  "invalid escape sequence": "has a backslash before something that means nothing here, such as a reference to a group",
  "invalid or unsupported Perl syntax": "looks ahead or behind, which is not possible here",
  "invalid character class range": "has a set that ends before it begins, or that nobody knows",
  "trailing backslash at end of expression": "ends with a backslash",
  "expression too large": "is too large; count fewer repetitions",
};

/** Loaded with the first pattern: the library has tables of all characters, and most nodes are never asked for one. */
function loadLibrary(): typeof import("re2js") {
  return require("re2js");
}

/** The flag for capitals, which the library writes before what it was given. */
const IGNORE_CASE = "(?i)";

function explain({ message, input }: RE2JSSyntaxException): string {
  const said = message.replace(/^error parsing regexp: /, "");
  const known = Object.entries(REASONS).find(([start]) => said.startsWith(start));
  const reason = known?.[1] ?? `cannot be read: ${said}`;
  const part = input?.startsWith(IGNORE_CASE) ? input.slice(IGNORE_CASE.length) : input;
  return part && part.length < LONGEST_PART ? `${reason}: ${part}` : reason;
}

/** Compiles a regular expression as RE2 writes them: none takes longer than the length of a text times its own. Throws PatternError. */
export function createPattern(source: string, monotonic: Clock["monotonic"] = systemClock.monotonic): Pattern {
  const { RE2JS, RE2JSSyntaxException: SyntaxFault } = loadLibrary();
  const compiled = (() => {
    try {
      return RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
    } catch (error) {
      throw error instanceof SyntaxFault ? new PatternError(explain(error)) : error;
    }
  })();
  if (compiled.programSize() > MOST_STEPS) throw new PatternError(REASONS["expression too large"]);
  const begun = monotonic();
  let spent = 0;
  return {
    test(text) {
      const before = monotonic();
      if (spent > BURST_MS + (before - begun) * SHARE) throw new PatternCostError("the pattern took too long");
      const isThere = compiled.test(text);
      spent += monotonic() - before;
      return isThere;
    },
  };
}
