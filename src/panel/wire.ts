/** The one place that knows every area of the panel. */
import { collectMigrations, type Part } from "../kernel/feature.ts";
import { wireAgents } from "./agents/wire.ts";
import type { PanelBase, PanelBus } from "./base.ts";
import { wireChanges } from "./changes/wire.ts";
import type { PanelWorld } from "./create-base.ts";
import { openSystem, openTenant } from "./data/tenant-db.ts";
import { listTenantTables } from "./data/tenant-tables.ts";
import { type PanelEvents, panelFeatures } from "./features.ts";
import { wireFleet } from "./fleet/wire.ts";
import { wirePeople } from "./people/wire.ts";
import { wirePlatform } from "./platform/wire.ts";

/** The databases that a panel is made over; they must be migrated already. */
type Databases = Pick<PanelWorld, "db" | "samplesDb">;

/**
 * Makes every feature of the panel; the order of the lines is the boot order. Nothing runs yet. Here alone it is decided who
 * sees more than one workspace: by what is handed on.
 */
export function wirePanel(base: PanelBase & { bus: PanelBus<PanelEvents> }, { db, samplesDb = db }: Databases) {
  const across = { ...base, system: openSystem(db) };
  const platform = wirePlatform(across);
  const { audit, mail } = platform;
  const tenantTables = listTenantTables(collectMigrations(panelFeatures));
  const people = wirePeople({
    ...across,
    audit,
    mail,
    openTenant: (id, account, standing) => openTenant(db, id, account, standing),
    tenantTables,
  });
  const { tenants } = people;
  const agents = wireAgents({ ...across, tenants, db, samplesDb });
  const { agentPort } = agents;
  const fleet = wireFleet({ ...across, ...agents, tenants, audit });
  const changes = wireChanges({ ...across, ...agents, fleet: fleet.fleet, tenants });
  // Last of all: whoever speaks to the port is answered by what is open before it.
  const areas: readonly { parts: readonly Part[] }[] = [platform, people, agents, fleet, changes];
  const parts = [...areas.flatMap((area) => area.parts), agentPort];
  return { ...across, ...platform, ...people, ...agents, ...changes, parts };
}

/** A whole panel: its base and all its features. */
export type WiredPanel = ReturnType<typeof wirePanel>;
