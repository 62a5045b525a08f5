import { accessPlugin } from "../kernel/http/access.ts";
import { createLimiter } from "../kernel/http/limit.ts";
import { minutes } from "../lib/duration.ts";
import { createAgentPort } from "./agents/agent-port.ts";
import { createLiveStore, liveTables } from "./agents/live/index.ts";
import { createNodes } from "./agents/nodes/index.ts";
import { createSamples } from "./agents/samples/index.ts";
import { createCommands } from "./changes/commands/index.ts";
import type { PanelContext } from "./context.ts";
import { createBase, type PanelWorld } from "./create-base.ts";
import { openSystem } from "./data/tenant-db.ts";
import { collectMeanings } from "./event-meaning.ts";
import type { PanelEvents } from "./events.ts";
import { panelFeatures } from "./features.ts";
import { createAuthorize, createTokens } from "./people/sessions/index.ts";
import { wirePlatform } from "./platform/wire.ts";

/** Builds the one context of a running panel; the database must be migrated already. */
export function createContext(world: PanelWorld): PanelContext {
  const { db, samplesDb = db } = world;
  const base = createBase<PanelEvents>(world);
  const { config, clock, log } = base;
  const system = openSystem(db);
  const platform = wirePlatform({ ...base, system, meanings: collectMeanings(panelFeatures) });
  const tokens = createTokens(base);
  const samples = createSamples({ db: samplesDb, clock, log });
  const live = createLiveStore({ ...base, tables: liveTables(db), samples });
  const authorize = createAuthorize({ system, clock, config, tokens }, db);
  const nodes = createNodes({ ...base, system, live, publicUrl: config.public_url });
  const commands = createCommands({ ...base, system, nodes });
  live.useCommands(commands);
  return {
    ...base,
    audit: platform.audit,
    isAlive: platform.health.isAlive,
    system,
    live,
    samples,
    nodes,
    commands,
    agentPort: createAgentPort({ ...base, nodes, live, commands }),
    tokens,
    attempts: { account: createLimiter(clock, 5, minutes(15)), network: createLimiter(clock, 50, minutes(15)) },
    parts: platform.parts,
    guard: accessPlugin(authorize, config.trusted_proxies),
  };
}
