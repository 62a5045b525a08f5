import type {
  Action,
  Facts,
  NodeFact,
  Refusal,
  Rollout,
  RolloutNode,
  Step,
} from "../../src/panel/changes/rollouts/engine/model.ts";
import type { step as realStep } from "../../src/panel/changes/rollouts/engine/step.ts";
import { placeNodes, stageTargets } from "../../src/panel/changes/rollouts/selection.ts";
import { checkStep, type Seen, watchOf } from "./rollout-invariants.ts";
import { seeded } from "./seeded.ts";

const LOOK_MS = 10_000;
const OLD = "1.0.0";
export const NEW = "2.0.0";
const HOURS_MAX = 60;

interface SimCommand {
  node: string;
  kind: "forward" | "revert";
  generation: number;
  status: "queued" | "sent" | "succeeded" | "failed" | "cancelled";
}

/** A simulated server: what it is, and how it takes the new version. */
interface SimNode {
  id: string;
  version: string;
  /** As the panel heard it last. */
  told: string;
  lastSeen: number;
  /** The same by the clock on the wall, as it went then. */
  heardAt: number;
  isDeleted: boolean;
  /** True time until which it says nothing. */
  awayUntil: number;
  highest: number;
  /** What it did, and when it tells; by the id of the command. */
  done: Map<string, "succeeded" | "failed">;
  work: { id: string; command: SimCommand; endsAt: number }[];
  behaviour: "good" | "fails" | "dies" | "slow" | "lies" | "hot" | "blind" | "flaps" | "sticky";
  cpu: { t: number; value: number; at: number }[];
  sick: boolean;
}

/** What a run came to. */
export interface Run {
  rollout: Rollout;
  violations: string[];
  looks: number;
  nodes: number;
}

export interface SimOptions {
  seed: number;
  step?: typeof realStep;
  /** Fleet size; drawn when left out. */
  size?: number;
  /** Two panels that do not see each other's writes: the store's fence is missing. */
  isUnfenced?: boolean;
}

export const newRollout = (more: Partial<Rollout>): Rollout => ({
  kind: "os_version",
  target_version: NEW,
  stages: [1, 10, 50, 100],
  soak_ms: 900_000,
  gates: { max_error_rate: 0.5, max_cpu_p95: 80, max_failed_boots: 0, max_heartbeat_loss: 0 },
  auto_promote: true,
  is_legacy: false,
  state: "running",
  stage: 0,
  is_stage_begun: false,
  is_started: false,
  reason: null,
  watched_ms: 0,
  looked_at: null,
  watch_since_ms: 0,
  window_at: 0,
  soaked_ms: null,
  blind_since_ms: null,
  gate_values: [],
  from_any_version: false,
  nodes: [],
  ...more,
});

const rollback = (text: string | null): Action => ({ kind: "rollback", text, from_any_version: false });

export const newNodes = (ids: readonly string[], stages: readonly number[]): RolloutNode[] =>
  placeNodes(ids, stages, "").map((placed) => ({
    ...placed,
    from_version: OLD,
    has_cpu: true,
    has_error_rate: false,
    state: "pending",
    since_ms: 0,
    done_at: null,
    is_excused: false,
    is_away: false,
    detail: null,
  }));

/** Runs one rollout over a simulated fleet, with every fault that the seed brings, and checks every step. */
export function simulate({ seed, step, size, isUnfenced = false }: SimOptions & { step: typeof realStep }): Run {
  const random = seeded(seed);
  const chance = (p: number) => random() < p;
  const pick = <One>(all: readonly One[]): One => all[Math.floor(random() * all.length)] as One;
  const count = size ?? pick([1, 2, 3, 5, 8, 13, 20, 30]);
  const stages = pick([[1, 10, 50, 100], [10, 100], [100], [25, 50, 75, 100], [1, 2, 3, 100]]);
  const ids = Array.from({ length: count }, (_, i) => `n${i}`);
  const badness = pick([0, 0, 0.05, 0.3, 1]);
  const kind = pick(["os_version", "os_version", "app"] as const);
  let rollout = newRollout({
    kind,
    stages,
    soak_ms: pick([0, 60_000, 300_000, 900_000]),
    auto_promote: chance(0.6),
    is_legacy: chance(0.05),
    gates: {
      max_error_rate: 0.5,
      max_cpu_p95: 80,
      max_failed_boots: pick([0, 0, 1, 3]),
      max_heartbeat_loss: pick([0, 0, 1]),
    },
    nodes: newNodes(ids, stages),
  });
  let dbVersion = 0;
  const bad = pick(["fails", "dies", "slow", "lies", "hot", "blind", "flaps", "sticky"] as const);
  const world = new Map<string, SimNode>(
    ids.map((id) => [
      id,
      {
        ...{ id, version: OLD, told: OLD, lastSeen: 0, heardAt: 0, isDeleted: false, awayUntil: 0, highest: -1 },
        ...{ done: new Map(), work: [], cpu: [], sick: false },
        behaviour: chance(badness) ? bad : "good",
      },
    ]),
  );
  const commands = new Map<string, SimCommand>();
  let time = 0;
  /** Wall clock against true time. */
  let offset = 1_000_000_000;
  const wall = () => time + offset;
  let isIncluded = true;
  let isSuspended = false;
  let calm = false;
  let decisions = 0;
  let downUntil = 0;
  let rolledBack = false;
  let generation = 0;
  const violations: string[] = [];
  const seen: Seen = watchOf(rollout);
  const faulty = chance(0.8);
  const jumpy = pick([0.0005, 0.01]);
  const impatience = pick([0.002, 0.002, 0.05]);
  const say = (text: string) => {
    if (violations.length < 20) violations.push(`${Math.round(time / 1_000)} s: ${text}`);
  };

  const outcome = (id: string, which: SimCommand["kind"]): NodeFact["forward"] => {
    const command = commands.get(`${id}:${which}`);
    if (!command || command.status === "cancelled") return "none";
    return command.status === "queued" || command.status === "sent" ? "open" : command.status;
  };
  const facts = (): Facts => ({
    now: wall(),
    listened_ms: time - downUntil,
    is_included: isIncluded,
    is_suspended: isSuspended,
    node(id) {
      const node = world.get(id);
      if (!node || node.isDeleted) return null;
      // As the panel's own list: silence is judged by how long it has listened itself.
      const isOnline = time - Math.max(node.lastSeen, downUntil) < 600_000 && node.lastSeen > 0;
      return {
        is_online: isOnline,
        last_seen: node.heardAt,
        version: node.told,
        forward: outcome(id, "forward"),
        forward_error: null,
        revert: outcome(id, "revert"),
        revert_error: null,
        cpu: node.cpu,
        error_rate: [],
      };
    },
  });

  function execute(node: SimNode, id: string, command: SimCommand): void {
    if (command.kind === "revert") {
      if (node.behaviour !== "sticky") node.version = OLD;
      node.sick = false;
      node.done.set(id, "succeeded");
      return;
    }
    if (node.behaviour === "fails") {
      node.done.set(id, "failed");
      return;
    }
    if (node.behaviour !== "lies") node.version = NEW;
    if (node.behaviour === "dies") node.awayUntil = time + (chance(0.5) ? 1_800_000 : 1e12);
    if (node.behaviour === "hot" || node.behaviour === "blind" || node.behaviour === "flaps") node.sick = true;
    node.done.set(id, "succeeded");
  }

  function deliver(node: SimNode): void {
    for (const id of [`${node.id}:forward`, `${node.id}:revert`]) {
      const command = commands.get(id);
      if (command?.status !== "queued" && command?.status !== "sent") continue;
      if (node.done.has(id) || node.work.some((one) => one.id === id)) continue;
      if (command.kind === "forward" && rolledBack) say(`invariant 5: ${id} is delivered after the rollback`);
      command.status = "sent";
      // The answer is lost on its way.
      if (!calm && faulty && chance(0.05)) continue;
      if (command.generation < node.highest) {
        node.done.set(id, "failed");
        continue;
      }
      node.highest = command.generation;
      const slow = command.kind === "forward" && node.behaviour === "slow" ? 3_000_000 : 0;
      // One after the other, in the order in which they came.
      const begins = Math.max(time, ...node.work.map(({ endsAt }) => endsAt));
      node.work.push({ id, command, endsAt: begins + slow + Math.floor(random() * (calm ? 20_000 : 120_000)) });
    }
  }

  function beat(node: SimNode): void {
    if (node.isDeleted || time < node.awayUntil) return;
    const ready = node.work.filter(({ endsAt }) => endsAt <= time);
    node.work = node.work.filter(({ endsAt }) => endsAt > time);
    for (const { id, command } of ready) execute(node, id, command);
    if (time < downUntil || (time < node.awayUntil && node.awayUntil > 0)) return;
    if (!calm && faulty && chance(0.1)) return;
    if (node.sick && node.behaviour === "flaps" && chance(0.7)) return;
    node.lastSeen = time;
    node.heardAt = wall();
    node.told = node.version;
    const isBlind = node.sick && node.behaviour === "blind";
    if (!isBlind && time % 60_000 === 0) {
      const value = node.sick && node.behaviour === "hot" ? 97 : 20 + random() * 30;
      node.cpu.push({ t: wall(), value, at: time });
      if (node.cpu.length > 60) node.cpu.shift();
    }
    // Told again and again, in any order, also what is over.
    for (const [id, result] of [...node.done].reverse()) {
      if (!calm && faulty && chance(0.2)) continue;
      const command = commands.get(id);
      if (command && (command.status === "sent" || command.status === "queued")) command.status = result;
    }
    deliver(node);
  }

  function commit(action: Action, before: Rollout, version: number, made: Step): void {
    if (version !== dbVersion && !isUnfenced) return;
    dbVersion += 1;
    const given = facts();
    for (const effect of made.effects) {
      if (effect.kind === "dispatch")
        commands.set(`${effect.node_id}:forward`, {
          ...{ node: effect.node_id, kind: "forward", generation: generation++, status: "queued" },
        });
      else if (effect.kind === "revert") {
        const key = `${effect.node_id}:revert`;
        if (commands.has(key)) say(`invariant 4: ${effect.node_id} is sent back twice`);
        commands.set(key, { node: effect.node_id, kind: "revert", generation: generation++, status: "queued" });
      } else if (effect.kind === "withdraw") {
        const command = commands.get(`${effect.node_id}:forward`);
        if (command && (command.status === "queued" || command.status === "sent")) command.status = "cancelled";
      }
    }
    if (action.kind === "rollback") rolledBack = true;
    checkStep(
      seen,
      { action, before, step: made, facts: given, time, isIncluded, targets: stageTargets(stages, count) },
      say,
    );
    rollout = made.rollout;
  }

  function act(action: Action): void {
    const before = rollout;
    const version = dbVersion;
    const given = facts();
    const made: Step | Refusal = step(before, action, given);
    if ("refused" in made) return;
    if (chance(0.05) && !Bun.deepEquals(step(before, action, given), made))
      say("invariant 9: the same step, another end");
    // The panel dies, or the database is busy, before the transaction is through: nothing of it stays.
    if (!calm && faulty && chance(0.05)) return;
    commit(action, before, version, made);
    // Another panel looked at the same moment and comes later.
    if (!calm && faulty && chance(0.05)) {
      const other = step(before, { kind: "look" }, given);
      if (!("refused" in other)) commit({ kind: "look" }, before, version, other);
    }
  }

  function decide(): void {
    if (rollout.state === "completed" || rollout.state.startsWith("roll")) return;
    if (rollout.state === "running") {
      if (!calm && chance(impatience)) act(chance(0.7) ? { kind: "pause", text: null } : rollback("no"));
      return;
    }
    if (!chance(0.05)) return;
    decisions += 1;
    if (decisions > 12) act(rollback(null));
    else if (rollout.state === "awaiting_promotion") act(chance(0.9) ? { kind: "promote" } : rollback(null));
    else act(pick([{ kind: "resume" }, { kind: "promote" }, rollback(null)] as Action[]));
  }

  function disturb(): void {
    if (!faulty || calm) return;
    if (chance(0.006)) pick([...world.values()]).awayUntil = time + pick([60_000, 200_000, 1_000_000, 7_200_000]);
    if (chance(0.0005)) pick([...world.values()]).isDeleted = true;
    if (chance(jumpy)) offset += pick([-3_600_000, 3_600_000]);
    if (chance(0.003)) downUntil = time + pick([15_000, 60_000, 1_200_000]);
    if (chance(0.001)) isIncluded = !isIncluded;
    if (chance(isSuspended ? 0.02 : 0.001)) isSuspended = !isSuspended;
  }

  // Everybody was heard before it begins, for a while.
  for (let i = 0; i < 30; i++) {
    time += LOOK_MS;
    for (const node of world.values()) beat(node);
  }
  for (const node of world.values()) {
    node.lastSeen = time;
    node.heardAt = wall();
  }
  if (chance(0.1)) for (const node of world.values()) if (chance(0.5)) node.lastSeen = 0;
  if (chance(0.1)) isIncluded = false;
  let looks = 0;
  act({ kind: "look" });
  const isOver = () =>
    (rollout.state === "completed" || rollout.state === "rolled_back") &&
    !rollout.nodes.some(({ state }) => state === "reverting");
  while (!isOver() && time < HOURS_MAX * 3_600_000) {
    time += LOOK_MS;
    if (!calm && time > 20 * 3_600_000) {
      calm = true;
      isSuspended = false;
      for (const node of world.values()) node.awayUntil = 0;
    }
    disturb();
    for (const node of world.values()) beat(node);
    if (time < downUntil) continue;
    decide();
    looks += 1;
    act({ kind: "look" });
  }
  finish();
  return { rollout, violations, looks, nodes: count };

  function finish(): void {
    if (!isOver()) say(`invariant 6: it never ends, ${rollout.state} at stage ${rollout.stage + 1}`);
    for (const node of rollout.nodes) {
      const real = world.get(node.id);
      if (!real || real.isDeleted) continue;
      if (node.state === "dispatched" || node.state === "reverting") say(`invariant 6: ${node.id} ends ${node.state}`);
      if (node.state === "pending" && rollout.state === "completed") say(`invariant 6: ${node.id} was forgotten`);
      if (kind !== "os_version") continue;
      const isBack = real.version === OLD || node.state === "revert_failed";
      if (rollout.state === "rolled_back" && !isBack)
        say(`invariant 6: ${node.id} stays on the new version, ${node.state}`);
      if (node.state === "done" && rollout.state === "completed" && real.version !== NEW)
        say(`invariant 6: ${node.id} is called done on the old version`);
    }
  }
}
