import { accessPlugin } from "../kernel/http/access.ts";
import { wireAgents } from "./agents/wire.ts";
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
  const system = openSystem(db);
  const across = { ...base, system };
  const platform = wirePlatform({ ...across, meanings: collectMeanings(panelFeatures) });
  const people = wirePeople({ ...across, audit: platform.audit, openTenant: (id) => openTenant(db, id) });
  const { tenants, sessions } = people;
  const agents = wireAgents({ ...across, tenants, db, samplesDb });
  const { live, samples, nodes, agentPort } = agents;
  const commands = createCommands({ ...across, nodes });
  base.lists.commands.add(commands);
  return {
    ...base,
    ...{ tenants, sessions },
    isAlive: platform.health.isAlive,
    system,
    live,
    samples,
    nodes,
    commands,
    agentPort,
    parts: [...platform.parts, ...people.parts, ...agents.parts],
    guard: accessPlugin(sessions.authorize, base.config.trusted_proxies),
  };
}
