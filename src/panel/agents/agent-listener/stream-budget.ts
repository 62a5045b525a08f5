import type { Clock } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";
import { FairTurns } from "./fair-turns.ts";

/** What streams are for. Each kind has a share of its own, so that no flood of logs keeps whoever types waiting. */
export type StreamUse = "logs" | "terminals" | "searches";

const MEGABYTE = 1_048_576;
/** What is charged in a second, to a workspace and in all: many times what people read, and a fraction of the program's time. */
const RATES: Record<StreamUse, Rates> = {
  logs: { workspace: 4 * MEGABYTE, panel: 16 * MEGABYTE },
  terminals: { workspace: 2 * MEGABYTE, panel: 8 * MEGABYTE },
  searches: { workspace: 2 * MEGABYTE, panel: 8 * MEGABYTE },
};
/** How much of it may come at once. */
const BURST_MS = { workspace: seconds(2), panel: 500 };
/** Streams that ended are charged at once: that keeps the others waiting for no longer. */
const PANEL_DEBT_MS = 500;
/** How often those who wait are looked after. */
const TURN_MS = 20;
/** What a value of JSON takes, in bytes of long texts. */
const BYTES_OF_VALUE = 64;
const MAX_WORKSPACES = 20_000;

interface Rates {
  workspace: number;
  panel: number;
}

/** What is charged for what came on a stream. */
export const chargeOf = (bytes: number, values: number): number => bytes + BYTES_OF_VALUE * values;

/** Gives more credit, and returns what is to be charged for what came on the credit before. */
type Grant = () => number;

/** What a stream is charged to. */
export interface StreamShare {
  /** Runs `grant` when it is its turn, at once where nobody has too much. Gives how to withdraw it. */
  ask(grant: Grant): () => void;
  /** Charges what nothing more is granted for. */
  pay(charge: number): void;
}

/** How much of the program's time goes into what nodes send on streams. */
export interface StreamBudget {
  /** The share of somebody in a workspace. */
  shareOf(use: StreamUse, tenantId: string, reader: string): StreamShare;
}

/** One kind of use. What came is charged when more is granted, so nobody has more than the windows of his streams ahead. */
class Lane {
  readonly #clock: Clock;
  readonly #rates: Rates;
  /** By workspace and by who reads; each in the order in which they asked. */
  readonly #waiting = new FairTurns<FairTurns<Set<Grant>>>();
  /** Milliseconds' worth that are left; below zero is debt. */
  readonly #workspaces = new Map<string, { left: number; at: number }>();
  #panel: { left: number; at: number };
  #isTimed = false;

  constructor(clock: Clock, rates: Rates) {
    this.#clock = clock;
    this.#rates = rates;
    this.#panel = { left: BURST_MS.panel, at: clock.monotonic() };
  }

  ask(tenantId: string, reader: string, grant: Grant): () => void {
    const grants = this.#waiting.of(tenantId, () => new FairTurns()).of(reader, () => new Set());
    grants.add(grant);
    this.#turn();
    return () => this.#withdraw(tenantId, reader, grant);
  }

  pay(tenantId: string, charge: number): void {
    const now = this.#clock.monotonic();
    const left = this.#leftOf(tenantId) - (charge * 1_000) / this.#rates.workspace;
    this.#workspaces.delete(tenantId);
    this.#workspaces.set(tenantId, { left, at: now });
    const first = this.#workspaces.keys().next();
    if (this.#workspaces.size > MAX_WORKSPACES && !first.done) this.#workspaces.delete(first.value);
    const inAll = this.#leftInAll() - (charge * 1_000) / this.#rates.panel;
    this.#panel = { left: Math.max(-PANEL_DEBT_MS, inAll), at: now };
  }

  #leftOf(tenantId: string): number {
    const known = this.#workspaces.get(tenantId);
    if (!known) return BURST_MS.workspace;
    return Math.min(BURST_MS.workspace, known.left + this.#clock.monotonic() - known.at);
  }

  #leftInAll(): number {
    return Math.min(BURST_MS.panel, this.#panel.left + this.#clock.monotonic() - this.#panel.at);
  }

  #turn(): void {
    while (this.#leftInAll() >= 0) {
      const workspace = this.#waiting.next((tenantId) => this.#leftOf(tenantId) >= 0);
      const reader = workspace?.entry.next();
      const [grant] = reader?.entry ?? [];
      if (!workspace || !reader || !grant) break;
      const charge = grant();
      this.pay(workspace.key, charge);
      this.#waiting.charge(workspace.key, charge);
      workspace.entry.charge(reader.key, charge);
      this.#withdraw(workspace.key, reader.key, grant);
    }
    if (this.#isTimed || this.#waiting.isEmpty()) return;
    this.#isTimed = true;
    this.#clock.after(TURN_MS, () => {
      this.#isTimed = false;
      this.#turn();
    });
  }

  #withdraw(tenantId: string, reader: string, grant: Grant): void {
    const readers = this.#waiting.find(tenantId);
    const grants = readers?.find(reader);
    grants?.delete(grant);
    if (grants?.size === 0) readers?.drop(reader);
    if (readers?.isEmpty()) this.#waiting.drop(tenantId);
  }
}

/**
 * Charges what nodes send on streams to their workspaces, by granting them credit later: no stream is refused or ended. Fair between
 * workspaces, and between those who read in one.
 */
export function createStreamBudget(clock: Clock): StreamBudget {
  const lanes = {
    logs: new Lane(clock, RATES.logs),
    terminals: new Lane(clock, RATES.terminals),
    searches: new Lane(clock, RATES.searches),
  };
  return {
    shareOf: (use, tenantId, reader) => ({
      ask: (grant) => lanes[use].ask(tenantId, reader, grant),
      pay: (charge) => lanes[use].pay(tenantId, charge),
    }),
  };
}
