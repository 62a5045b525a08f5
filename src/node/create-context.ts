import { accessPlugin } from "../kernel/http/access.ts";
import type { NodePlan } from "../shared/plans/index.ts";
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
import { createEventHub } from "./platform/events/index.ts";
import { createOperations, PANEL } from "./platform/operations/index.ts";
import { createDeliverer } from "./platform/webhooks/index.ts";
import { wirePlatform } from "./platform/wire.ts";

/** Builds the one context of a running node; the databases must be migrated already. */
export function createContext(world: NodeWorld): NodeContext {
  const base = createBase<NodeEvents>(world, nodeFeatures);
  const { config, db, bus, clock, ids, metricsDb, host } = base;
  base.lists.names.add((id) => (id === PANEL ? "the panel" : null));
  const plan = (): NodePlan => {
    for (const read of base.lists.plans.all()) {
      const decided = read();
      if (decided !== null) return decided;
    }
    return config.plan;
  };
  const book = createSeriesBook(metricsDb, clock, (byMs) =>
    bus.emit("system.clock_jumped", { by_seconds: Math.round(byMs / 1000) }),
  );
  const platform = wirePlatform(base);
  const { identity } = platform;
  const { authorize, parts: peopleParts, ...people } = wirePeople({ ...base, identity, plan });
  const operations = createOperations({ db, clock, ids, bus });
  const apps = wireApps({ ...base, operations, plan });
  const panelLink = wirePanelLink({
    ...base,
    identity,
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
    webhooks: createDeliverer(base),
    live: createLiveSampler(clock, host),
    ...book,
    baselines: createBaselines({ db, series: book.series, clock, ids }),
    disks: createDiskWatch({ config, host, db, clock, bus }),
    operations,
    eventHub: createEventHub(ids.next("run")),
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
