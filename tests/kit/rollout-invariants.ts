import type { Action, Facts, Note, Rollout, Step } from "../../src/panel/changes/rollouts/engine/model.ts";

/** What the checker keeps of its own, in true time: it believes nothing that the engine counts. */
export interface Seen {
  dispatched: Set<string>;
  /** True time of the last look that was kept. */
  lookedAt: number | null;
  wallAt: number | null;
  /** Since when somebody looked without a break. */
  watchedSince: number;
  /** How long the present stage was looked at with all its nodes back. */
  soaked: number;
  wasSettled: boolean;
  /** For each node under way, how long it was waited for. */
  waited: Map<string, number>;
  blind: number;
  /** Failures and silence that somebody has waved through. */
  excused: Set<string>;
  windowAt: number;
}

export const watchOf = (_rollout: Rollout): Seen => ({
  ...{ dispatched: new Set(), lookedAt: null, wallAt: null, watchedSince: 0, soaked: 0, wasSettled: false },
  ...{ waited: new Map(), blind: 0, excused: new Set(), windowAt: 0 },
});

export interface Checked {
  action: Action;
  before: Rollout;
  step: Step;
  facts: Facts;
  /** True time, milliseconds. */
  time: number;
  isIncluded: boolean;
  targets: readonly number[];
}

const MINUTE = 60_000;
const UNDER_WAY = ["pending", "dispatched"];

/** Checks one step that was kept against the invariants. */
export function checkStep(seen: Seen, checked: Checked, say: (text: string) => void): void {
  const { before, step, time, facts, action, targets } = checked;
  const after = step.rollout;
  const dispatched = step.effects.flatMap((one) => (one.kind === "dispatch" ? [one.node_id] : []));
  const notes = step.effects.flatMap((one) => (one.kind === "note" ? [one.note] : []));
  const wallGap = seen.wallAt === null ? 0 : facts.now - seen.wallAt;
  const gap = seen.lookedAt === null ? 0 : time - seen.lookedAt;
  // A clock that was set is seen by nobody but the clock on the wall.
  const isWatched = gap <= 30_000 && wallGap >= 0 && wallGap <= 30_000;
  if (!isWatched) seen.watchedSince = time;

  // What the stage has proven so far, in true time.
  const isHuman = action.kind !== "look";
  const was = stageNodes(before);
  if (before.state === "running" && isWatched && seen.wasSettled) seen.soaked += gap;
  for (const node of before.nodes)
    if (node.state === "dispatched") seen.waited.set(node.id, (seen.waited.get(node.id) ?? 0) + (isWatched ? gap : 0));

  // 1, 8: what comes next comes after proof, or because somebody said so.
  const isPast = after.stage > before.stage || (after.state === "completed" && before.state !== "completed");
  if (isPast && action.kind !== "promote") {
    const own = afterNodes(after, before.stage);
    if (was.length > 0) {
      if (own.some(({ state }) => UNDER_WAY.includes(state))) say("invariant 1: a stage passes with nodes under way");
      if (!own.some(({ state }) => state === "done")) say("invariant 1: a stage passes without one success");
      if (seen.soaked < before.soak_ms) say(`invariant 1: ${seen.soaked} ms of soak, not ${before.soak_ms}`);
      const failed = after.nodes.filter(
        ({ id, state }) => (state === "failed" || state === "timed_out") && !seen.excused.has(id),
      );
      if (failed.length > before.gates.max_failed_boots) say(`invariant 3: ${failed.length} failed, and it goes on`);
      const lost = lostOf(after, facts, seen, time);
      if (lost > before.gates.max_heartbeat_loss) say(`invariant 3: ${lost} silent, and it goes on`);
      checkFigures(after, facts, seen, time, say);
    }
    if (before.state === "awaiting_promotion") say("invariant 1: nobody promoted it");
    if (!before.auto_promote && was.length > 0 && after.state !== "completed") say("invariant 1: nobody promoted it");
  }
  if (action.kind === "promote" && after.stage > before.stage + 1) {
    const between = after.nodes.filter(({ stage }) => stage > before.stage && stage < after.stage);
    if (between.length > 0) say("invariant 1: one promotion, two stages");
  }
  if (before.state === "running" && action.kind === "look" && after.state === "running") {
    const failed = before.nodes.filter(
      ({ id, state }) => (state === "failed" || state === "timed_out") && !seen.excused.has(id),
    );
    if (failed.length > before.gates.max_failed_boots) say("invariant 3: it runs on after a breach");
  }

  // 2, 3, 4: who is touched.
  for (const id of dispatched) {
    if (seen.dispatched.has(id)) say(`invariant 4: ${id} is sent the change twice`);
    seen.dispatched.add(id);
    const node = after.nodes.find((one) => one.id === id);
    if (node && node.stage > after.stage) say(`invariant 1: ${id} is of a later stage`);
    if (facts.node(id)?.is_online !== true) say(`invariant 2: ${id} is sent the change while offline`);
  }
  if (seen.dispatched.size > (targets[after.stage] ?? 0)) say(`invariant 2: ${seen.dispatched.size} touched`);
  if (dispatched.length > 0) {
    if (after.state !== "running") say(`invariant 3: nodes are sent the change while ${after.state}`);
    if (before.state !== "running" && !isHuman) say(`invariant 3: nodes are sent the change by the clock alone`);
    if (!before.is_started && !checked.isIncluded) say("nodes are sent a change that the plan does not include");
    if (facts.is_suspended) say("nodes of a suspended workspace are sent a change");
  }
  if (dispatched.length > 500) say("more at once than one look may send");

  // Nothing waits for ever, and nobody is blamed for what nobody watched.
  for (const node of after.nodes) {
    const waited = seen.waited.get(node.id) ?? 0;
    if (node.state === "dispatched" && waited > 31 * MINUTE && after.state !== "rolled_back")
      say(`invariant 6: ${node.id} is waited for ${Math.round(waited / MINUTE)} minutes`);
    const earlier = before.nodes[node.rank];
    if (node.state === "timed_out" && earlier?.state === "dispatched" && waited < 29 * MINUTE)
      say(`${node.id} is given up after ${Math.round(waited / MINUTE)} minutes`);
    if (node.state === "done" && earlier?.state === "dispatched") {
      const fact = facts.node(node.id);
      if (fact?.forward !== "succeeded") say(`${node.id} is done without having said so`);
      if (after.kind === "os_version" && fact?.version !== after.target_version)
        say(`${node.id} is done on ${fact?.version}`);
    }
  }
  const reason = after.reason;
  if (reason?.gate === "heartbeat_loss" && before.state === "running" && time - seen.watchedSince < 2 * MINUTE - 1)
    say("silence that nobody listened to is called loss");
  checkRollback(before, after, facts, step, say);

  // 8: blindness ends in a pause.
  const isBlind = after.gate_values.some(({ verdict }) => verdict === "no_data");
  seen.blind = after.state === "running" && isBlind && seen.wasSettled && isWatched ? seen.blind + gap : 0;
  if (seen.blind > Math.max(2 * after.soak_ms, 10 * MINUTE) + 60_000) say("invariant 8: blind, and it waits for ever");

  checkTimeline(before, after, notes, say);
  if (after.state === "paused" && reason === null) say("invariant 10: paused for no reason");
  if (after.is_legacy && (action.kind === "pause" || action.kind === "resume"))
    say("an older canary is paused by hand");

  // What the next step is measured with.
  if (action.kind === "resume" || (action.kind === "promote" && before.state === "paused"))
    for (const { id, state } of after.nodes) {
      const fact = facts.node(id);
      const isSilent = state === "done" && fact && isSilentNow(fact, facts.now);
      if (state === "failed" || state === "timed_out" || isSilent) seen.excused.add(id);
    }
  for (const { id, state } of after.nodes) {
    const fact = state === "done" && seen.excused.has(id) ? facts.node(id) : null;
    if (fact?.is_online && facts.now >= fact.last_seen && facts.now - fact.last_seen < MINUTE) seen.excused.delete(id);
  }
  if (after.stage !== before.stage || isHuman || after.state !== "running") seen.soaked = 0;
  if (after.stage !== before.stage || action.kind === "resume") seen.windowAt = facts.now;
  seen.wasSettled =
    after.state === "running" &&
    after.nodes.every(({ stage, state }) => stage > after.stage || !UNDER_WAY.includes(state));
  if (!seen.wasSettled) seen.soaked = 0;
  seen.lookedAt = time;
  seen.wallAt = facts.now;
}

const stageNodes = ({ nodes, stage }: Rollout) => nodes.filter((node) => node.stage === stage);
const afterNodes = ({ nodes }: Rollout, stage: number) => nodes.filter((node) => node.stage === stage);
const isSilentNow = (fact: { is_online: boolean; last_seen: number }, now: number): boolean =>
  !fact.is_online || fact.last_seen > now || now - fact.last_seen >= 2 * MINUTE;

function lostOf(after: Rollout, facts: Facts, seen: Seen, time: number): number {
  if (time - seen.watchedSince < 2 * MINUTE) return 0;
  return after.nodes.filter(({ id, state }) => {
    const fact = state === "done" && !seen.excused.has(id) ? facts.node(id) : null;
    return fact !== null && isSilentNow(fact, facts.now);
  }).length;
}

/** Figures must be there, and good, of what was measured on the new version in this stage. */
function checkFigures(after: Rollout, facts: Facts, seen: Seen, time: number, say: (text: string) => void): void {
  // Until somebody has listened for two minutes, nobody is silent.
  const isListened = time - seen.watchedSince >= 2 * MINUTE;
  let there = 0;
  let live = 0;
  const values: number[] = [];
  for (const node of after.nodes) {
    const fact = node.state === "done" ? facts.node(node.id) : null;
    if (!fact || (isListened && isSilentNow(fact, facts.now))) continue;
    const own = fact.cpu.filter(({ t }) => t >= Math.max(seen.windowAt, node.done_at ?? 0));
    live += 1;
    if (own.length >= 3) there += 1;
    values.push(...own.map(({ value }) => value));
  }
  if (live > 0 && live - there > live * 0.2) say(`invariant 8: ${there} of ${live} nodes told figures, and it goes on`);
  values.sort((a, b) => a - b);
  const p95 = values[Math.ceil(values.length * 0.95) - 1] ?? 0;
  if (p95 >= after.gates.max_cpu_p95) say(`invariant 3: processor ${p95}, and it goes on`);
}

function checkRollback(before: Rollout, after: Rollout, facts: Facts, step: Step, say: (text: string) => void): void {
  const back = step.effects.flatMap((one) => (one.kind === "revert" ? [one.node_id] : []));
  if (back.length > 0 && after.state !== "rolling_back" && after.state !== "rolled_back")
    say(`nodes go back while ${after.state}`);
  if (after.state === "rolling_back" && after.nodes.some(({ state }) => state === "pending"))
    say("invariant 5: nodes wait for the change while it is rolled back");
  if (after.state === "rolled_back" && before.state !== "rolled_back") {
    const left = after.nodes.filter(({ state }) => ["dispatched", "done", "failed", "timed_out"].includes(state));
    if (left.length > 0) say(`invariant 6: ${left.length} touched nodes are not sent back`);
  }
  const isThere = (id: string) => facts.node(id)?.is_online === true;
  const fresh = back.filter(isThere).length;
  if (fresh === 0) return;
  const reached = before.nodes.filter(
    ({ state }) => !["pending", "cancelled", "skipped_offline"].includes(state),
  ).length;
  const flying = after.nodes.filter(({ id, state }) => state === "reverting" && isThere(id)).length;
  if (flying > Math.max(1, Math.ceil(reached * 0.2)) && flying === fresh)
    say(`${flying} of ${reached} go back at a time`);
}

/** 10: the timeline tells how it came from one state to the next. */
function checkTimeline(before: Rollout, after: Rollout, notes: readonly Note[], say: (text: string) => void): void {
  let at = before.state;
  for (const note of notes) {
    if (note.from !== at) say(`invariant 10: the timeline jumps from ${at} to ${note.from}`);
    at = note.to;
  }
  if (at !== after.state) say(`invariant 10: the timeline ends with ${at}, not ${after.state}`);
  const isStageTold = notes.some(
    ({ kind, stage }) => (kind === "stage_started" || kind === "stage_empty") && stage === after.stage,
  );
  if (after.stage !== before.stage && !isStageTold) say(`invariant 10: nobody tells of stage ${after.stage + 1}`);
  for (const node of after.nodes) {
    const earlier = before.nodes[node.rank]?.state;
    if (earlier === node.state) continue;
    if (
      (node.state === "failed" || node.state === "timed_out") &&
      !notes.some(({ text }) => text.startsWith(`${node.id} `))
    )
      say(`invariant 10: nobody tells that ${node.id} ${node.state}`);
    if (node.state === "dispatched" && !notes.some(({ kind }) => kind === "dispatched"))
      say("invariant 10: nobody tells that nodes were sent the change");
  }
}
