import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { simulate } from "../../../../../tests/kit/rollout-simulator.ts";
import { step } from "./step.ts";

/** Seeds that a fault of the engine has to be found with; with `ROLLOUT_MUTANTS=all` every fault is tried, else some of them. */
const SEEDS = 600;

/** Faults of the engine: where, what stands there, what stands there instead. Those with a name were somebody's in earnest. */
const MUTANTS: [name: string, file: string, from: string, to: string][] = [
  ["Argo 3850: no figures pass for good ones", "step.ts", 'verdict === "no_data")', "false)"],
  ["a stage that nobody measured is good", "gates.ts", 'verdict = "no_data"', 'verdict = "ok"'],
  [
    "hawkBit 3185: done when the command is",
    "step.ts",
    '(kind !== "os_version" || fact.version === target_version)',
    "true",
  ],
  [
    "done when the version shows, whatever the command says",
    "step.ts",
    'fact.forward === "succeeded" && (kind !== "os_version" ||',
    '(kind === "os_version" &&',
  ],
  ["hawkBit 693: nothing times out", "step.ts", "watched_ms - node.since_ms >= NODE_DEADLINE_MS", "false"],
  [
    "hawkBit 735: a stage with nobody in it is a success",
    "step.ts",
    'if (own.length > 0 && !own.some(({ state }) => state === "done"))',
    "if (false)",
  ],
  [
    "hawkBit: who failed counts as ended, and the stage as good",
    "gates.ts",
    'state === "failed" || state === "timed_out") && !is_excused',
    "false) && !is_excused",
  ],
  [
    "Argo 1411: a breach is shown, and it goes on",
    "step.ts",
    "if (isBroken(draft, facts)) return;",
    'isBroken(draft, facts);\n  draft.set({ state: "running", reason: null });',
  ],
  [
    "nodes are sent the change before the gates are read",
    "step.ts",
    "if (isBroken(draft, facts)) return;\n  dispatch(draft, facts);",
    "dispatch(draft, facts);\n  if (isBroken(draft, facts)) return;",
  ],
  ["time without a panel is soak", "step.ts", "passed >= 0 && passed <= WATCH_GAP_MS", "passed >= 0"],
  [
    "a clock that is set back turns time back",
    "step.ts",
    "passed >= 0 && passed <= WATCH_GAP_MS",
    "passed <= WATCH_GAP_MS",
  ],
  [
    "soak begins with the first node",
    "step.ts",
    "if (nodes.some((node) => node.stage <= stage && !SETTLED.has(node.state))) return;",
    "",
  ],
  ["no soak at all", "step.ts", "(draft.now.soaked_ms ?? 0) >= soak_ms", "true"],
  [
    "soak of the stage before counts on",
    "step.ts",
    "draft.set({ window_at: facts.now, soaked_ms: null, blind_since_ms: null });",
    "draft.set({ window_at: facts.now });",
  ],
  ["nobody has to promote", "step.ts", "if (auto_promote || isEmpty)", "if (true)"],
  [
    "promoted twice by one word",
    "step.ts",
    "else beginStage(draft, stage + 1, facts);",
    "else beginStage(draft, Math.min(stages.length - 1, stage + 2), facts);",
  ],
  ["all stages at once", "step.ts", "node.stage > stage ||", ""],
  ["who is offline is sent the change", "step.ts", "if (facts.node(node.id)?.is_online !== true) {", "if (false) {"],
  [
    "blind for ever",
    "step.ts",
    "if (watched_ms - since < Math.max(soak_ms * BLIND_SOAKS, BLIND_MIN_MS)) return;",
    "return;",
  ],
  [
    "silence right after a start is loss",
    "gates.ts",
    "if (Math.min(listened_ms, rollout.watched_ms - rollout.watch_since_ms) < SILENT_MS) return false;",
    "",
  ],
  [
    "silence is never loss",
    "gates.ts",
    "return !is_online || last_seen > now || now - last_seen >= SILENT_MS;",
    "return false;",
  ],
  ["figures of before a clock was set back count", "gates.ts", " && t <= (looked_at ?? t)", ""],
  [
    "the limit itself is allowed for shares",
    "gates.ts",
    "enough > 0 && value >= limit",
    "enough > 0 && value >= limit * 2",
  ],
  [
    "figures of before the change count",
    "gates.ts",
    "return samples.filter(({ t }) => t >= from && t <= (looked_at ?? t));",
    "return [...samples];",
  ],
  [
    "a rollback forgets whom it has not heard of",
    "model.ts",
    'new Set(["dispatched", "done", "failed", "timed_out"])',
    'new Set(["done", "failed", "timed_out"])',
  ],
  [
    "a rollback forgets who failed",
    "rollback.ts",
    "if (!TOUCHED.has(node.state)) continue;\n    if (facts",
    'if (!TOUCHED.has(node.state) || node.state === "timed_out") continue;\n    if (facts',
  ],
  [
    "the change still leaves after the rollback",
    "rollback.ts",
    'if (node.state === "dispatched") draft.do({ kind: "withdraw", node_id: node.id });',
    "",
  ],
  [
    "who waits for the change is not cancelled",
    "rollback.ts",
    'if (node.state === "pending") draft.move',
    'if (node.state === "done") draft.move',
  ],
  ["all go back at once", "rollback.ts", "if (free <= 0) continue;", ""],
  [
    "rolled back when the first is",
    "rollback.ts",
    "if (left.some((node) => !isWaitedForElsewhere(draft.now, node, facts.node(node.id)))) return;",
    "",
  ],
  [
    "back when the command is, whatever the version",
    "rollback.ts",
    '(kind !== "os_version" || fact.version === node.from_version)',
    'true || fact.revert === "succeeded"',
  ],
  [
    "the clock alone ends a pause",
    "step.ts",
    'if (draft.now.state === "running") run',
    'if (draft.now.state === "paused") draft.set({ state: "running", reason: null });\n  if (draft.now.state === "running") run',
  ],
  ["the timeline keeps quiet about pauses", "step.ts", 'draft.note("paused", text);', ""],
  [
    "the timeline keeps quiet about stages",
    "step.ts",
    'else draft.note("stage_started",',
    'else ((..._: unknown[]) => {})("stage_started",',
  ],
  [
    "what is known at a resume stops it again, for ever",
    "step.ts",
    'if (state === "paused") excuse(draft, facts);',
    'if (state === "paused") for (const node of draft.now.nodes) draft.change(node, { is_excused: true });',
  ],
  [
    "a plan that is gone does not matter",
    "step.ts",
    "if (!draft.now.is_started && !facts.is_included) {",
    "if (false) {",
  ],
  ["that the workspace is suspended does not matter", "step.ts", "if (facts.is_suspended) {", "if (false) {"],
  [
    "an older canary is paused by hand",
    "step.ts",
    'if (is_legacy && (kind === "pause" || kind === "resume")) return { refused: "legacy" };',
    "",
  ],
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rollout-mutants-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The engine with one fault in it. */
async function engineWith([, file, from, to]: (typeof MUTANTS)[number], no: number): Promise<typeof step> {
  if (no < 0) throw new Error("each fault needs a place of its own");
  const own = join(folder, String(no));
  cpSync(import.meta.dir, own, { recursive: true, filter: (path) => !path.endsWith(".test.ts") });
  for (const name of readdirSync(own)) {
    const text = readFileSync(join(own, name), "utf8");
    const flat = text.replaceAll("../../../../lib/", `${resolve(import.meta.dir, "../../../../lib")}/`);
    writeFileSync(join(own, name), name === file ? replaceOnce(flat, from, to) : flat);
  }
  const module: { step: typeof step } = await import(join(own, "step.ts"));
  return module.step;
}

/** Spaces and line ends do not matter: the formatter sets them. */
function replaceOnce(text: string, from: string, to: string): string {
  const words = from.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const found = text.match(new RegExp(words.join("\\s+"), "g")) ?? [];
  if (found.length !== 1) throw new Error(`this stands there ${found.length} times: ${from}`);
  return text.replace(found[0] ?? "", () => to);
}

const chosen = process.env["ROLLOUT_MUTANTS"] === "all" ? MUTANTS : MUTANTS.filter((_, no) => no % 6 === 0);

test.each(chosen.map((mutant) => ({ title: mutant[0], mutant })))(
  "$title: found",
  async ({ mutant }) => {
    const broken = await engineWith(mutant, MUTANTS.indexOf(mutant));
    let found = false;
    for (let seed = 1; seed <= SEEDS && !found; seed++) found = isCaught(broken, seed);
    expect(found).toBe(true);
  },
  120_000,
);

/** Whether a fleet shows the fault; an engine that throws shows it too. */
function isCaught(broken: typeof step, seed: number): boolean {
  try {
    return simulate({ seed, step: broken }).violations.length > 0;
  } catch {
    return true;
  }
}

test("an engine without a fault is not called faulty", async () => {
  const same = await engineWith(
    ["none", "words.ts", 'number === 1 ? "" : "s"', 'number === 1 ? "" : "s"'],
    MUTANTS.length,
  );
  for (let seed = 1; seed <= 20; seed++) expect(simulate({ seed, step: same }).violations).toEqual([]);
});

test("two panels whose writes nothing fences: found", () => {
  const seeds = Array.from({ length: SEEDS }, (_, index) => index + 1);
  expect(seeds.some((seed) => simulate({ seed, step, isUnfenced: true }).violations.length > 0)).toBe(true);
});
