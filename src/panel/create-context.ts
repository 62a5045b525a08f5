import { accessPlugin } from "../kernel/http/access.ts";
import { createAgentPort } from "./agents/agent-port.ts";
import { createLiveStore, liveTables } from "./agents/live/index.ts";
import { createNodes } from "./agents/nodes/index.ts";
import { createSamples } from "./agents/samples/index.ts";
import { createCommands } from "./changes/commands/index.ts";
import type { PanelContext } from "./context.ts";
import { createBase, type PanelWorld } from "./create-base.ts";
import { openSystem, openTenant } from "./data/tenant-db.ts";
import { collectMeanings } from "./event-meaning.ts";
import type { PanelEvents } from "./events.ts";
import { panelFeatures } from "./features.ts";
import { wirePeople } from "./people/wire.ts";
import { wirePlatform } from "./platform/wire.ts";

/** Builds the one context of a running panel; the database must be migrated already. */
export function createContext(world: PanelWorld): PanelContext {
  const { db, samplesDb = db } = world;
  const base = createBase<PanelEvents>(world);
  const { config, clock, log } = base;
  const system = openSystem(db);
  const across = { ...base, system };
  const platform = wirePlatform({ ...across, meanings: collectMeanings(panelFeatures) });
  const people = wirePeople({ ...across, audit: platform.audit, openTenant: (id) => openTenant(db, id) });
  const { tenants, sessions } = people;
  const samples = createSamples({ db: samplesDb, clock, log });
  const live = createLiveStore({ ...base, tables: liveTables(db), samples });
  const nodes = createNodes({ ...across, tenants, live, publicUrl: config.public_url });
  const commands = createCommands({ ...across, nodes });
  live.useCommands(commands);
  return {
    ...base,
    ...{ tenants, sessions },
    isAlive: platform.health.isAlive,
    system,
    live,
    samples,
    nodes,
    commands,
    agentPort: createAgentPort({ ...base, nodes, live, commands }),
    parts: [...platform.parts, ...people.parts],
    guard: accessPlugin(sessions.authorize, config.trusted_proxies),
  };
}
