import { collectMeanings } from "../kernel/feature.ts";
import { createJobs } from "../kernel/jobs.ts";
import { createList } from "../kernel/list.ts";
import type { Log } from "../kernel/log.ts";
import { askTexts, createOutgoing, parseCidr, type ResolveTexts } from "../kernel/outgoing/index.ts";
import { createSeal } from "../kernel/seal.ts";
import type { SqlDb } from "../kernel/sql/port.ts";
import { createTxBus } from "../kernel/tx-bus.ts";
import type { Clock } from "../lib/clock.ts";
import { createFairTurns, type TakeTurn } from "../lib/fair-turns.ts";
import type { Ids } from "../lib/ids.ts";
import { systemRandom } from "../lib/random.ts";
import { createAccessEnds } from "./access-ends.ts";
import type { PanelBase, PanelBus } from "./base.ts";
import type { PanelConfig } from "./config.ts";
import type { Lease } from "./data/lease.ts";
import type { PanelEvent, PanelFeature } from "./event-meaning.ts";

/** What the outside gives: the world a panel runs in. */
export interface PanelWorld {
  config: PanelConfig;
  version: string;
  embedRoot: string;
  log: Log;
  clock: Clock;
  ids: Ids;
  db: SqlDb;
  /** Where samples go; left out, into the same database. */
  samplesDb?: SqlDb;
  /** The right to the database; left out where nobody else has it. */
  lease?: Pick<Lease, "isHeld">;
  /** The turns that the database takes too; left out, new ones. */
  takeTurn?: TakeTurn;
  /** Where names are looked up; left out, at the name servers of this machine. */
  askTexts?: ResolveTexts;
  /** Aborts when the program stops. */
  signal: AbortSignal;
  /** Master key, 32 bytes. */
  sealKey: Uint8Array;
}

/** Builds what every feature stands on; `features` say what their events mean. */
export function createBase<Events extends Record<string, PanelEvent>>(
  world: Omit<PanelWorld, "db" | "samplesDb">,
  features: readonly PanelFeature[],
): Omit<PanelBase, "bus"> & { bus: PanelBus<Events> } {
  const { config, version, embedRoot, log, clock, ids, signal } = world;
  return {
    ...{ config, version, embedRoot, log, clock, ids, signal },
    isCurrent: () => world.lease?.isHeld() ?? true,
    random: systemRandom,
    seal: createSeal(world.sealKey),
    outgoing: createOutgoing({
      clock,
      allowed: config.outgoing_allow_cidrs.map(parseCidr),
      allowedBy: "CP_OUTGOING_ALLOW_CIDRS",
      ownPorts: new Set([config.listen.port, config.agent_listen?.port ?? 8443]),
    }),
    takeTurn: world.takeTurn ?? createFairTurns(clock),
    accessEnds: createAccessEnds(),
    askTexts: world.askTexts ?? askTexts,
    bus: createTxBus(),
    meanings: collectMeanings(features),
    jobs: createJobs(clock, log, systemRandom),
    lists: {
      ...{ names: createList(), commands: createList(), searches: createList(), sessions: createList() },
      ...{ changes: createList(), farSearches: createList() },
      ...{
        incidents: createList(),
        unread: createList(),
        holdings: createList(),
        remains: createList(),
        accountRemains: createList(),
        measures: createList(),
        letters: createList(),
        homes: createList(),
        ways: createList(),
        marks: createList(),
        removals: createList(),
        domains: createList(),
        grants: createList(),
        admissions: createList(),
        hindrances: createList(),
        trials: createList(),
        callers: createList(),
        directories: createList(),
      },
    },
  };
}
