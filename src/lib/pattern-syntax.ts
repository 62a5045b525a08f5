/** What a pattern is made of. */
export type Node =
  | { kind: "set"; ranges: readonly Range[]; isNegated: boolean }
  | { kind: "sequence"; parts: readonly Node[] }
  | { kind: "choice"; parts: readonly Node[] }
  | { kind: "repeat"; part: Node; least: number; most: number | null }
  | { kind: "edge"; at: Edge };
export type Range = readonly [first: number, last: number];
export type Edge = "start" | "end" | "word" | "no word";

/** Why a text is no pattern, as the end of a sentence about it. */
export class PatternError extends Error {}

const MOST_REPEATS = 1000;
const LAST = 0xffff;
const DIGIT: readonly Range[] = [[48, 57]];
const WORD: readonly Range[] = [...DIGIT, [65, 90], [95, 95], [97, 122]];
const SPACE: readonly Range[] = [
  [9, 13],
  [32, 32],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
const BREAKS: readonly Range[] = [
  [10, 10],
  [13, 13],
  [0x2028, 0x2029],
];
const CONTROLS: Record<string, number> = { t: 9, n: 10, v: 11, f: 12, r: 13, "0": 0 };

/** All that sorted ranges leave out. */
function invert(ranges: readonly Range[]): Range[] {
  const left: Range[] = [];
  let next = 0;
  for (const [first, last] of ranges) {
    if (first > next) left.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= LAST) left.push([next, LAST]);
  return left;
}

const SETS: Record<string, readonly Range[]> = {
  d: DIGIT,
  w: WORD,
  s: SPACE,
  D: invert(DIGIT),
  W: invert(WORD),
  S: invert(SPACE),
};

/**
 * Reads a regular expression as JavaScript writes them, but for what cannot be matched in one pass: references to groups and looking
 * ahead or behind. Throws PatternError.
 */
export function parsePattern(source: string): Node {
  let at = 0;
  const isOver = (): boolean => at >= source.length;
  const isNext = (text: string): boolean => source.startsWith(text, at);
  function skip(text: string): boolean {
    if (!isNext(text)) return false;
    at += text.length;
    return true;
  }

  function choice(): Node {
    const parts = [sequence()];
    while (skip("|")) parts.push(sequence());
    const [only] = parts;
    return parts.length === 1 && only ? only : { kind: "choice", parts };
  }

  function sequence(): Node {
    const parts: Node[] = [];
    while (!isOver() && !isNext("|") && !isNext(")")) parts.push(repeated());
    return { kind: "sequence", parts };
  }

  function repeated(): Node {
    const start = at;
    let part = atom();
    for (let isFirst = true; ; isFirst = false) {
      const times = quantifier();
      if (times === null) return part;
      if (!isFirst) throw new PatternError("repeats a repetition; put it into brackets first");
      if (part.kind === "edge")
        throw new PatternError(`repeats ${source.slice(start, start + 2)}, which is no character`);
      part = { kind: "repeat", part, ...times };
    }
  }

  function quantifier(): { least: number; most: number | null } | null {
    const times = simpleQuantifier() ?? counted();
    // A lazy one finds the same lines.
    if (times !== null) skip("?");
    return times;
  }

  function simpleQuantifier() {
    if (skip("*")) return { least: 0, most: null };
    if (skip("+")) return { least: 1, most: null };
    return skip("?") ? { least: 0, most: 1 } : null;
  }

  function counted() {
    const [whole, first, comma, second] = /^\{(\d{1,6})(,?)(\d{0,6})\}/.exec(source.slice(at)) ?? [];
    if (whole === undefined) return null;
    at += whole.length;
    const least = Number(first);
    const most = comma === "" ? least : second === "" ? null : Number(second);
    if (most !== null && most < least) throw new PatternError(`has ${whole}, which ends before it begins`);
    if (Math.max(least, most ?? 0) > MOST_REPEATS)
      throw new PatternError(`has ${whole}; at most ${MOST_REPEATS} repetitions can be counted`);
    return { least, most };
  }

  function atom(): Node {
    const char = source[at] ?? "";
    if (skip("(")) return group();
    if (skip("[")) return charset();
    if (skip("\\")) return escaped();
    if (char === "*" || char === "+" || char === "?")
      throw new PatternError(`has ${char} with nothing to repeat before it`);
    if (counted() !== null) throw new PatternError("counts repetitions of nothing");
    at += 1;
    if (char === "^") return { kind: "edge", at: "start" };
    if (char === "$") return { kind: "edge", at: "end" };
    if (char === ".") return { kind: "set", ranges: BREAKS, isNegated: true };
    return single(char.charCodeAt(0));
  }

  function group(): Node {
    if (/^\?(?:=|!|<=|<!)/.test(source.slice(at)))
      throw new PatternError("looks ahead or behind, which is not possible here; search for what the line has itself");
    const [prefix] = /^\?(?::|<[A-Za-z_]\w*>)/.exec(source.slice(at)) ?? [];
    if (prefix === undefined && isNext("?")) throw new PatternError("has a group of a kind that is not known here");
    at += prefix?.length ?? 0;
    const inside = choice();
    if (!skip(")")) throw new PatternError("has a bracket ( that is not closed");
    return inside;
  }

  function escaped(): Node {
    if (skip("b")) return { kind: "edge", at: "word" };
    if (skip("B")) return { kind: "edge", at: "no word" };
    if (/^[1-9k]/.test(source.slice(at)))
      throw new PatternError("refers to a group, which is not possible here; write out what it is to find");
    const set = SETS[source[at] ?? ""];
    if (set === undefined) return single(escapedCode());
    at += 1;
    return { kind: "set", ranges: set, isNegated: false };
  }

  /** The character behind a backslash. */
  function escapedCode(): number {
    if (isOver()) throw new PatternError("ends with a backslash");
    const [hex, two, four] = /^(?:x([0-9a-f]{2})|u([0-9a-f]{4}))/i.exec(source.slice(at)) ?? [];
    if (hex !== undefined) {
      at += hex.length;
      return Number.parseInt(two ?? four ?? "", 16);
    }
    const char = source[at] ?? "";
    at += 1;
    const control = CONTROLS[char];
    if (control !== undefined) return control;
    if (/[A-Za-z0-9]/.test(char)) throw new PatternError(`has \\${char}, which is not known here`);
    return char.charCodeAt(0);
  }

  function charset(): Node {
    const isNegated = skip("^");
    const ranges: Range[] = [];
    while (!skip("]")) {
      if (isOver()) throw new PatternError("has a bracket [ that is not closed");
      const first = member();
      if (!isNext("-") || isNext("-]")) {
        ranges.push(...first);
        continue;
      }
      at += 1;
      const last = member();
      const [from, to] = [codeOf(first), codeOf(last)];
      if (from === null || to === null) ranges.push(...first, [45, 45], ...last);
      else if (to < from) throw new PatternError("has a range of characters that ends before it begins");
      else ranges.push([from, to]);
    }
    return { kind: "set", ranges, isNegated };
  }

  function member(): readonly Range[] {
    if (isOver()) throw new PatternError("has a bracket [ that is not closed");
    if (!skip("\\")) {
      const code = source.charCodeAt(at);
      at += 1;
      return [[code, code]];
    }
    const set = SETS[source[at] ?? ""];
    if (set === undefined) {
      const code = skip("b") ? 8 : skip("-") ? 45 : escapedCode();
      return [[code, code]];
    }
    at += 1;
    return set;
  }

  const whole = choice();
  if (!isOver()) throw new PatternError("has a bracket ) that was not opened");
  return whole;
}

const single = (code: number): Node => ({ kind: "set", ranges: [[code, code]], isNegated: false });

/** The one character that ranges are; null where they are more. */
function codeOf(ranges: readonly Range[]): number | null {
  const [range, more] = ranges;
  return range !== undefined && more === undefined && range[0] === range[1] ? range[0] : null;
}
