import { accessPlugin } from "../kernel/http/access.ts";
import { createLimiter } from "../kernel/http/limit.ts";
import { createJobs } from "../kernel/jobs.ts";
import type { Log } from "../kernel/log.ts";
import { createSeal } from "../kernel/seal.ts";
import type { SqlDb } from "../kernel/sql/port.ts";
import type { Clock } from "../lib/clock.ts";
import { minutes } from "../lib/duration.ts";
import type { Ids } from "../lib/ids.ts";
import { systemRandom } from "../lib/random.ts";
import { createAgentPort } from "./agents/agent-port.ts";
import { createLiveStore, liveTables } from "./agents/live/index.ts";
import { createNodes } from "./agents/nodes/index.ts";
import { createSamples } from "./agents/samples/index.ts";
import { createCommands } from "./changes/commands/index.ts";
import type { PanelConfig } from "./config.ts";
import type { PanelContext } from "./context.ts";
import { openSystem } from "./data/tenant-db.ts";
import { createAuthorize, createTokens } from "./people/sessions/index.ts";

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
  /** Aborts when the program stops. */
  signal: AbortSignal;
  /** Master key, 32 bytes. */
  sealKey: Uint8Array;
}

/** Builds the one context of a running panel; the database must be migrated already. */
export function createContext({ db, samplesDb = db, sealKey, ...world }: PanelWorld): PanelContext {
  const { config, clock } = world;
  const seal = createSeal(sealKey);
  const system = openSystem(db);
  const tokens = createTokens({ seal, clock });
  const samples = createSamples({ db: samplesDb, clock, log: world.log });
  const live = createLiveStore({ ...world, tables: liveTables(db), samples, random: systemRandom });
  const authorize = createAuthorize({ system, clock, config, tokens }, db);
  const nodes = createNodes({ ...world, system, seal, live, publicUrl: config.public_url });
  const commands = createCommands({ ...world, system, nodes });
  live.useCommands(commands);
  return {
    ...world,
    system,
    live,
    samples,
    nodes,
    jobs: createJobs(clock, world.log, systemRandom),
    commands,
    agentPort: createAgentPort({ ...world, nodes, live, commands }),
    tokens,
    attempts: { account: createLimiter(clock, 5, minutes(15)), network: createLimiter(clock, 50, minutes(15)) },
    parts: [],
    guard: accessPlugin(authorize, config.trusted_proxies),
  };
}
