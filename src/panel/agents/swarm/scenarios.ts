import { hours, seconds } from "../../../lib/duration.ts";

/** Ways in which a simulated node goes wrong. */
export const SCENARIOS = ["offline", "slow", "flapping", "lost-replies", "clock-skew", "bad-update"] as const;
export type Scenario = (typeof SCENARIOS)[number];

/** How one node behaves. */
export interface Behaviour {
  scenario: Scenario | null;
  /** A new version does not start there: the node goes back by itself and says so. */
  failsUpdates?: true;
  /** What to do on its turn number `turn`, from 0. */
  plan(turn: number): {
    /** Says nothing this time. */
    isSilent: boolean;
    /** Connects anew before it speaks. */
    reconnects: boolean;
    /** Hangs up before the answer comes. */
    losesReply: boolean;
    /** How far its clock is off, milliseconds. */
    skewMs: number;
    /** Milliseconds it takes before it speaks. */
    delayMs: number;
    /** Percent; null for what it feels like. */
    cpu: number | null;
  };
}

const WELL = { isSilent: false, reconnects: false, losesReply: false, skewMs: 0, delayMs: 0, cpu: null };
/** Turns that a node is there, and away, in the scenario `offline`. */
const THERE = 6;
const AWAY = 40;
const SLOW_MS = seconds(3);

/** The behaviour of a node; `random` gives numbers in [0, 1). */
export function behaviourOf(scenario: Scenario | null, random: () => number): Behaviour {
  const phase = Math.floor(random() * THERE);
  const skewMs = (random() < 0.5 ? -1 : 1) * hours(1);
  switch (scenario) {
    case null:
      return { scenario, plan: () => WELL };
    case "offline":
      return { scenario, plan: (turn) => ({ ...WELL, isSilent: (turn + phase) % (THERE + AWAY) >= THERE }) };
    case "slow":
      return { scenario, plan: () => ({ ...WELL, delayMs: random() * SLOW_MS }) };
    case "flapping":
      return { scenario, plan: (turn) => ({ ...WELL, reconnects: true, cpu: turn % 2 === 0 ? 97 : 12 }) };
    case "lost-replies":
      return { scenario, plan: () => ({ ...WELL, losesReply: random() < 0.3 }) };
    case "clock-skew":
      return { scenario, plan: () => ({ ...WELL, skewMs }) };
    case "bad-update":
      return { scenario, failsUpdates: true, plan: () => WELL };
  }
}

/** Which scenarios how many of a hundred nodes follow. */
export type Shares = ReadonlyMap<Scenario, number>;

/** Reads `offline:10,slow` (10 percent unless told); null for anything else, also for more than a hundred percent. */
export function parseShares(text: string): Shares | null {
  const shares = new Map<Scenario, number>();
  for (const part of text.split(",").map((each) => each.trim())) {
    const [name = "", percent = "10", ...rest] = part.split(":");
    const scenario = SCENARIOS.find((known) => known === name);
    const share = Number(percent.replace(/%$/, ""));
    if (!scenario || rest.length > 0 || !(share > 0 && share <= 100)) return null;
    shares.set(scenario, share);
  }
  const sum = [...shares.values()].reduce((total, share) => total + share, 0);
  return sum <= 100 ? shares : null;
}

/** The scenario of node number `index`: the shares hold for every hundred nodes in a row. */
export function scenarioOf(shares: Shares, index: number): Scenario | null {
  let from = 0;
  for (const [scenario, share] of shares) {
    from += share;
    if (index % 100 < from) return scenario;
  }
  return null;
}
