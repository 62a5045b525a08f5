import type { Database } from "bun:sqlite";
import { type Bus, createBus } from "../kernel/bus.ts";
import { createStore } from "../kernel/db/store.ts";
import { collectMeanings, collectSettings } from "../kernel/feature.ts";
import { createAccessChanges } from "../kernel/http/access-changes.ts";
import { createAnswerCounts } from "../kernel/http/answer-counts.ts";
import { createStreamPlaces } from "../kernel/http/stream-places.ts";
import { createJobs } from "../kernel/jobs.ts";
import { createList } from "../kernel/list.ts";
import type { Log } from "../kernel/log.ts";
import { createOutgoing, type Outgoing, parseCidr } from "../kernel/outgoing/index.ts";
import { createSeal } from "../kernel/seal.ts";
import { createSettings } from "../kernel/settings.ts";
import { type Clock, systemClock, toIso } from "../lib/clock.ts";
import { createFairTurns } from "../lib/fair-turns.ts";
import type { Ids } from "../lib/ids.ts";
import type { NodeBase } from "./base.ts";
import type { NodeConfig } from "./config.ts";
import type { NodeFeature } from "./event-meaning.ts";
import { createHost } from "./machine/index.ts";

/** A page that is looked at has one or two; each is written to with every event. */
const STREAMS = { each: 100, accounts: 1_500, strangers: 500 };

/** What the outside gives: the world a node runs in. */
export interface NodeWorld {
  config: NodeConfig;
  version: string;
  embedRoot: string;
  log: Log;
  clock: Clock;
  ids: Ids;
  random: () => number;
  mainDb: Database;
  metricsDb: Database;
  /** Master key, 32 bytes. */
  sealKey: Uint8Array;
  signal: AbortSignal;
  checkpoint?: NonNullable<NodeBase["checkpoint"]>;
  /** Another way out, for tests. */
  outgoing?: Outgoing;
}

/** Builds what every feature stands on; the databases must be migrated already, `features` declare settings and meanings. */
export function createBase<Events>(
  world: NodeWorld,
  features: readonly NodeFeature[],
): Omit<NodeBase, "bus"> & { bus: Bus<Events> } {
  const { mainDb, sealKey, ...given } = world;
  const { config, clock, log, signal } = given;
  const db = createStore(mainDb);
  const seal = createSeal(sealKey);
  const ownPorts = new Set([config.listen.port]);
  return {
    ...given,
    db,
    seal,
    bus: createBus<Events>(log, db.afterCommit),
    meanings: collectMeanings(features),
    jobs: createJobs(clock, log, world.random),
    settings: createSettings(db, seal, collectSettings(features), () => toIso(clock.now())),
    // The kernel counts in real time, so the host has the real clock whatever the program's own one shows.
    host: createHost(systemClock, config.host_root, signal),
    outgoing: world.outgoing ?? createOutgoing({ clock, allowed: config.webhook_allow_cidrs.map(parseCidr), ownPorts }),
    ownPorts,
    listening: { ...config.listen },
    answerCounts: createAnswerCounts(),
    accessChanges: createAccessChanges(),
    takeStreamPlace: createStreamPlaces(STREAMS),
    takeTurn: createFairTurns(clock),
    lists: {
      overview: createList(),
      names: createList(),
      roles: createList(),
      panels: createList(),
      plans: createList(),
      watched: createList(),
      recoveries: createList(),
      lastingWays: createList(),
      belongings: createList(),
      absences: createList(),
      engines: createList(),
      backupRuns: createList(),
      finds: createList(),
      panelReaders: createList(),
      pathDangers: createList(),
      keptImages: createList(),
      holds: createList(),
      starters: createList(),
    },
  };
}
