import { type Edge, type Node, PatternError, parsePattern, type Range } from "./pattern-syntax.ts";

export { PatternError } from "./pattern-syntax.ts";

/** A regular expression that looks at each character of a text once, whatever it is. */
export interface Pattern {
  /** Whether a text has it anywhere; capitals do not matter. Throws PatternCostError once `budget` is used up. */
  test(text: string): boolean;
}

/** A pattern took more work than it was allowed. */
export class PatternCostError extends Error {}

type Step =
  | { kind: "char"; fits: (code: number) => boolean; next: number }
  | { kind: "split"; next: number; other: number }
  | { kind: "edge"; at: Edge; next: number }
  | { kind: "found" };

/** Steps of a compiled pattern: repetitions are written out. */
const MOST_STEPS = 2000;
/** Nodes that are written for them: a group without content makes no step, however often it is repeated. */
const MOST_WRITES = 20_000;
/** States that are remembered; one has a table of half a kilobyte. */
const MOST_STATES = 1000;
const ASCII = 128;

/** What stood before the place that is looked at. */
type Before = "nothing" | "word" | "other";

const isWord = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);

/** Texts are compared in small letters; a set may have been written in capitals. */
function fitsSet(ranges: readonly Range[], isNegated: boolean): (code: number) => boolean {
  const isIn = (code: number): boolean => ranges.some(([first, last]) => code >= first && code <= last);
  return (code) => {
    const upper = String.fromCharCode(code).toUpperCase();
    return (isIn(code) || (upper.length === 1 && isIn(upper.charCodeAt(0)))) !== isNegated;
  };
}

const tooLarge = (): PatternError => new PatternError("is too large; count fewer repetitions");

/** Writes the steps from the last to the first, so that each knows the next. */
function compile(root: Node): { steps: Step[]; start: number } {
  const steps: Step[] = [{ kind: "found" }];
  let writes = 0;
  function add(step: Step): number {
    if (steps.length >= MOST_STEPS) throw tooLarge();
    return steps.push(step) - 1;
  }
  function loop(part: Node, next: number): number {
    const split = add({ kind: "split", next, other: next });
    steps[split] = { kind: "split", next: write(part, split), other: next };
    return split;
  }
  function write(node: Node, next: number): number {
    writes += 1;
    if (writes > MOST_WRITES) throw tooLarge();
    switch (node.kind) {
      case "set":
        return add({ kind: "char", fits: fitsSet(node.ranges, node.isNegated), next });
      case "edge":
        return add({ kind: "edge", at: node.at, next });
      case "sequence":
        return node.parts.reduceRight((after, part) => write(part, after), next);
      case "choice":
        return node.parts
          .map((part) => write(part, next))
          .reduceRight((other, one) => add({ kind: "split", next: one, other }));
      case "repeat": {
        let after = next;
        if (node.most === null) after = loop(node.part, next);
        else
          for (let count = node.least; count < node.most; count += 1)
            after = add({ kind: "split", next: write(node.part, after), other: next });
        for (let count = 0; count < node.least; count += 1) after = write(node.part, after);
        return after;
      }
    }
  }
  const start = write(root, 0);
  return { steps, start };
}

interface State {
  /** Steps that wait for the next character, edges before it not yet judged. */
  waiting: readonly number[];
  before: Before;
  /** Where each ASCII character leads. */
  ascii: (State | null)[];
  others: Map<number, State>;
  /** Whether a text that ends here has the pattern. */
  isFoundAtEnd: boolean | null;
}

const END = -1;

/**
 * Compiles a regular expression. It runs as an automaton whose states are made when they are met: no pattern takes longer than the
 * length of the text times its own, and `budget` bounds that for all texts together. Throws PatternError.
 */
export function createPattern(source: string, budget = 100_000_000): Pattern {
  const { steps, start } = compile(parsePattern(source));
  const states = new Map<string, State>();
  let left = budget;

  function stateOf(waiting: readonly number[], before: Before): State {
    const key = `${before} ${waiting.join(" ")}`;
    const known = states.get(key);
    if (known) return known;
    if (states.size >= MOST_STATES) forget();
    const ascii: (State | null)[] = new Array(ASCII).fill(null);
    const state: State = { waiting, before, ascii, others: new Map(), isFoundAtEnd: null };
    states.set(key, state);
    return state;
  }

  /** Each state knows the next ones, so that all would stay for as long as the first does. */
  function forget(): void {
    for (const state of [first, ...states.values()]) {
      state.ascii.fill(null);
      state.others.clear();
    }
    states.clear();
  }

  const holds = (edge: Edge, before: Before, code: number): boolean => {
    if (edge === "start") return before === "nothing";
    if (edge === "end") return code === END;
    return ((before === "word") !== (code !== END && isWord(code))) === (edge === "word");
  };

  /** All steps that can be reached before `code` is read; null when the pattern is found there. */
  function expand({ waiting, before }: State, code: number): Set<number> | null {
    const reached = new Set<number>();
    const open = [...waiting];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (reached.has(index)) continue;
      reached.add(index);
      const step = steps[index];
      if (step === undefined || step.kind === "found") return null;
      if (step.kind === "split") open.push(step.other, step.next);
      else if (step.kind === "edge" && holds(step.at, before, code)) open.push(step.next);
    }
    left -= reached.size + steps.length / 16;
    if (left < 0) throw new PatternCostError("the pattern took too much work");
    return reached;
  }

  const found = stateOf([], "nothing");

  function move(state: State, code: number): State {
    const reached = expand(state, code);
    if (reached === null) return found;
    const next = new Set([start]);
    for (const index of reached) {
      const step = steps[index];
      if (step?.kind === "char" && step.fits(code)) next.add(step.next);
    }
    return stateOf(
      [...next].sort((one, other) => one - other),
      isWord(code) ? "word" : "other",
    );
  }

  function next(state: State, code: number): State {
    const known = code < ASCII ? state.ascii[code] : state.others.get(code);
    if (known) return known;
    const made = move(state, code);
    if (code < ASCII) state.ascii[code] = made;
    else if (state.others.size < ASCII) state.others.set(code, made);
    return made;
  }

  const first = stateOf([start], "nothing");
  return {
    test(text) {
      const small = text.toLowerCase();
      let state = first;
      for (let at = 0; at < small.length; at += 1) {
        state = next(state, small.charCodeAt(at));
        if (state === found) return true;
      }
      state.isFoundAtEnd ??= expand(state, END) === null;
      return state.isFoundAtEnd;
    },
  };
}
