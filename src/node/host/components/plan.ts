import type { HostPackage, HostSysctl, HostUnit } from "../host-role/index.ts";
import type { SetProblem, SetWord } from "./set-grammar.ts";
import { type ComponentSpec, defaultPieces, type Piece, pieceKey } from "./spec.ts";

/** One piece that is turned on or removed, with all that is needed to do it: a journal keeps it over an upgrade. */
export interface PlannedChange {
  key: string;
  component: string;
  title: string;
  on: boolean;
  /** To install, or to remove: those that something else needs stay. */
  packages: HostPackage[];
  units: HostUnit[];
  /** Values of the kernel to set, or to give back; missing in journals of before. */
  sysctls?: { key: HostSysctl; value: number | null }[];
  mustRun: boolean;
}

export type StepKind = "apt" | "snap" | "install" | "start" | "stop" | "remove" | "kernel" | "check";

/** One step of carrying a plan out. */
export interface PlanStep {
  step: string;
  kind: StepKind;
  title: string;
  component?: string;
  /** The change that it belongs to. */
  key?: string;
}

export interface Plan {
  title: string;
  changes: PlannedChange[];
  steps: PlanStep[];
}

interface Chosen {
  spec: ComponentSpec;
  piece: Piece;
  on: boolean;
}

class BadSpec extends Error {
  readonly problem: SetProblem;

  constructor(problem: SetProblem) {
    super(problem.reason);
    this.problem = problem;
  }
}

const refuse = (word: string, reason: string, expected: string): BadSpec => new BadSpec({ word, reason, expected });
const joinWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

/**
 * What carrying out a set means: what it turns on comes with what that requires, in the order in which they need each other;
 * what it removes goes in the opposite order, after that. `isOn` says what is wanted or there now, by the piece's key; `isFound` what is
 * there without being our package, for which nothing is installed.
 */
export function makePlan(
  words: readonly SetWord[],
  catalogue: readonly ComponentSpec[],
  isOn: (key: string) => boolean,
  isFound: (piece: Piece) => boolean = () => false,
): { plan: Plan } | { problem: SetProblem } {
  try {
    const chosen = choosePieces(words, catalogue);
    addRequired(chosen, catalogue, isOn);
    refuseNeeded(words, chosen, catalogue, isOn);
    return { plan: describePlan(inOrder(chosen, catalogue), catalogue, isOn, isFound) };
  } catch (error) {
    if (error instanceof BadSpec) return { problem: error.problem };
    throw error;
  }
}

type Choice = Map<string, Chosen>;

function choosePieces(words: readonly SetWord[], catalogue: readonly ComponentSpec[]): Choice {
  const chosen: Choice = new Map();
  for (const word of words) {
    const spec = catalogue.find(({ id }) => id === word.id);
    const known = catalogue.map(({ id }) => id).join(", ");
    if (!spec) throw refuse(word.text, "is no component of this server", `There are: ${known}.`);
    if (!word.on && spec.permanent !== undefined) throw refuse(word.text, spec.permanent, "Leave it out.");
    for (const piece of piecesOf(word, spec)) chosen.set(pieceKey(spec, piece), { spec, piece, on: word.on });
  }
  return chosen;
}

function piecesOf({ text, option, on }: SetWord, spec: ComponentSpec): readonly Piece[] {
  if (option === null) return on ? defaultPieces(spec) : spec.pieces;
  const piece = spec.pieces.find((known) => known.option === option);
  if (piece) return [piece];
  const options = spec.pieces.flatMap((known) => known.option ?? []);
  const expected =
    options.length === 0 ? `${spec.id} has no options: leave the = out.` : `There are: ${options.join(", ")}.`;
  throw refuse(text, `names no option of ${spec.id}`, expected);
}

/** True where any piece of a component is on once the choice is carried out. */
function isOnAfter(spec: ComponentSpec, chosen: Choice, isOn: (key: string) => boolean): boolean {
  return spec.pieces.some((piece) => chosen.get(pieceKey(spec, piece))?.on ?? isOn(pieceKey(spec, piece)));
}

/** Turns on what is required by what is turned on, and what that requires. */
function addRequired(chosen: Choice, catalogue: readonly ComponentSpec[], isOn: (key: string) => boolean): void {
  const queue = [...chosen.values()].filter(({ on }) => on).map(({ spec }) => spec);
  for (const spec of queue) {
    for (const id of spec.requires) {
      const required = catalogue.find((known) => known.id === id);
      if (!required) throw refuse(spec.id, `requires ${id}, which this server does not offer`, "Leave it out.");
      if (isOnAfter(required, chosen, isOn)) continue;
      if (required.pieces.some((piece) => chosen.get(pieceKey(required, piece))?.on === false))
        throw refuse(`-${id}`, `removes what ${spec.id} requires`, "Leave one of the two out.");
      for (const piece of defaultPieces(required))
        chosen.set(pieceKey(required, piece), { spec: required, piece, on: true });
      queue.push(required);
    }
  }
}

/** Refuses to remove what something that stays on requires. */
function refuseNeeded(
  words: readonly SetWord[],
  chosen: Choice,
  catalogue: readonly ComponentSpec[],
  isOn: (key: string) => boolean,
): void {
  for (const { text, id, on } of words) {
    const spec = catalogue.find((known) => known.id === id);
    if (on || !spec || isOnAfter(spec, chosen, isOn)) continue;
    const needing = catalogue.filter((other) => other.requires.includes(id) && isOnAfter(other, chosen, isOn));
    if (needing.length === 0) continue;
    const both = [id, ...needing.map((other) => other.id)].map((name) => `-${name}`).join(",");
    const reason = `removes what ${joinWords(needing.map((other) => other.id))} requires`;
    throw refuse(text, reason, `Remove them together: ${both}.`);
  }
}

/** How many steps of requiring lie below a component; what requires itself in a circle counts as far as the list is long. */
function depthOf(spec: ComponentSpec, catalogue: readonly ComponentSpec[], limit = catalogue.length): number {
  if (limit === 0) return 0;
  const required = catalogue.filter(({ id }) => spec.requires.includes(id));
  return Math.max(0, ...required.map((other) => 1 + depthOf(other, catalogue, limit - 1)));
}

function inOrder(chosen: Choice, catalogue: readonly ComponentSpec[]): Chosen[] {
  const depth = (item: Chosen) => depthOf(item.spec, catalogue);
  const all = [...chosen.values()];
  const on = all.filter((item) => item.on).sort((a, b) => depth(a) - depth(b));
  const off = all.filter((item) => !item.on).sort((a, b) => depth(b) - depth(a));
  return [...on, ...off];
}

function describePlan(
  chosen: readonly Chosen[],
  catalogue: readonly ComponentSpec[],
  isOn: (key: string) => boolean,
  isFound: (piece: Piece) => boolean,
): Plan {
  const choice = new Map(chosen.map((item) => [pieceKey(item.spec, item.piece), item]));
  const staying = new Set(
    catalogue.flatMap((spec) =>
      spec.pieces
        .filter((piece) => choice.get(pieceKey(spec, piece))?.on ?? isOn(pieceKey(spec, piece)))
        .flatMap(({ packages }) => packages),
    ),
  );
  const changes = chosen.map(({ spec, piece, on }) => ({
    key: pieceKey(spec, piece),
    component: spec.id,
    title: piece.title,
    on,
    packages: piece.packages.filter((name) => (on ? !isFound(piece) : !staying.has(name))),
    // What is there and is not at work is started, whoever put it there.
    units: on && isFound(piece) && piece.works?.() !== false ? [] : [...piece.units],
    sysctls: (piece.sysctls ?? []).map(({ key, value }) => ({ key, value: on ? value : null })),
    mustRun: piece.mustRun,
  }));
  const check: PlanStep = { step: "check", kind: "check", title: "Ask the system what is on now" };
  const apt: PlanStep = { step: "apt", kind: "apt", title: "Wait until no other program installs packages" };
  const needsApt = changes.some(({ packages }) => packages.length > 0);
  return { title: titleOf(changes), changes, steps: [...(needsApt ? [apt] : []), ...changes.flatMap(stepsOf), check] };
}

/** The same plan on a server whose Docker came from the snap store: that one is switched off before another is installed. */
export function replacingSnap(plan: Plan, component: string): Plan {
  const step: PlanStep = {
    step: `${component}:snap`,
    kind: "snap",
    title: "Switch off Docker of the snap store, with all that runs in it",
    component,
  };
  const at = plan.steps.findIndex((one) => one.component === component);
  return { ...plan, steps: plan.steps.toSpliced(Math.max(at, 0), 0, step) };
}

function titleOf(changes: readonly PlannedChange[]): string {
  const named = (on: boolean) => joinWords(changes.filter((change) => change.on === on).map(({ title }) => title));
  const [on, off] = [named(true), named(false)];
  if (off === "") return `Turn on ${on}`;
  return on === "" ? `Remove ${off}` : `Turn on ${on}, remove ${off}`;
}

function stepsOf({ key, component, title, on, packages, units, sysctls = [] }: PlannedChange): PlanStep[] {
  const step = (kind: StepKind, words: string): PlanStep => ({
    step: `${key}:${kind}`,
    kind,
    title: `${title}: ${words}`,
    component,
    key,
  });
  const install = packages.length > 0 ? [step("install", `install ${packages.join(", ")}`)] : [];
  const remove = packages.length > 0 ? [step("remove", `remove ${packages.join(", ")}`)] : [];
  const keys = joinWords(sysctls.map((item) => item.key));
  const kernel = sysctls.length > 0 ? [step("kernel", on ? `set ${keys}` : `give ${keys} back`)] : [];
  if (on) return [...install, ...(units.length > 0 ? [step("start", "start it, now and at boot")] : []), ...kernel];
  return [...kernel, ...(units.length > 0 ? [step("stop", "stop it")] : []), ...remove];
}
