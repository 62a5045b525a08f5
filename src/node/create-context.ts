import { accessPlugin } from "../kernel/http/access.ts";
import { wireApps } from "./apps/wire.ts";
import type { NodeContext } from "./context.ts";
import { createBase, type NodeWorld } from "./create-base.ts";
import type { NodeEvents } from "./events.ts";
import { nodeFeatures } from "./features.ts";
import { countOpenAlerts } from "./monitoring/alerting/index.ts";
import { createBaselines } from "./monitoring/baselines/index.ts";
import { createDiskWatch } from "./monitoring/disks/index.ts";
import { createSeriesBook } from "./monitoring/metrics/index.ts";
import { createLiveSampler } from "./monitoring/system/index.ts";
import { wirePanelLink } from "./panel-link/wire.ts";
import { wirePeople } from "./people/wire.ts";
import { wirePlatform } from "./platform/wire.ts";

/** Builds the one context of a running node; the databases must be migrated already. */
export function createContext(world: NodeWorld): NodeContext {
  const base = createBase<NodeEvents>(world, nodeFeatures);
  const { config, db, bus, clock, ids, metricsDb, host } = base;
  const { identity, operations, events, webhooks, releaseNotes, plans, ...platform } = wirePlatform(base);
  const { plan } = plans;
  const { authorize, parts: peopleParts, ...people } = wirePeople({ ...base, identity, plan });
  const book = createSeriesBook(metricsDb, clock, (byMs) =>
    bus.emit("system.clock_jumped", { by_seconds: Math.round(byMs / 1000) }),
  );
  const apps = wireApps({ ...base, operations, plan });
  const panelLink = wirePanelLink({
    ...base,
    identity,
    releaseNotes,
    apps: apps.apps,
    runtime: apps.runtime,
    series: book.series,
    alerts: { countOpen: () => countOpenAlerts(db) },
    plan,
    users: people.users,
    signIns: people.signIns,
  });
  return {
    ...base,
    ...people,
    identity,
    webhooks,
    live: createLiveSampler(clock, host),
    ...book,
    baselines: createBaselines({ db, series: book.series, clock, ids }),
    disks: createDiskWatch({ config, host, db, clock, bus }),
    operations,
    eventHub: events.hub,
    runtime: apps.runtime,
    templates: apps.templates,
    apps: apps.apps,
    openAlerts: () => countOpenAlerts(db),
    panelLink: panelLink.panelLink,
    plan,
    parts: [...platform.parts, ...peopleParts, ...apps.parts, ...panelLink.parts],
    guard: accessPlugin(authorize, config.trusted_proxies),
  };
}
