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
import { createLiveSampler, nodeMode, nodeName } from "./monitoring/system/index.ts";
import { createPanelLink } from "./panel-link/panel-link/index.ts";
import { wirePeople } from "./people/wire.ts";
import { createEventHub } from "./platform/events/index.ts";
import { createOperations } from "./platform/operations/index.ts";
import { createDeliverer } from "./platform/webhooks/index.ts";
import { wirePlatform } from "./platform/wire.ts";

/** Builds the one context of a running node; the databases must be migrated already. */
export function createContext(world: NodeWorld): NodeContext {
  const base = createBase<NodeEvents>(world, nodeFeatures);
  const { config, db, bus, clock, ids, seal, metricsDb, host } = base;
  const panelLink = createPanelLink({ db, seal, clock, config });
  const { plan } = panelLink;
  const book = createSeriesBook(metricsDb, clock, (byMs) =>
    bus.emit("system.clock_jumped", { by_seconds: Math.round(byMs / 1000) }),
  );
  const platform = wirePlatform(base);
  const identity = { name: () => nodeName(base), mode: () => nodeMode(base) };
  const { authorize, parts: peopleParts, ...people } = wirePeople({ ...base, identity, plan });
  base.lists.panels.add(() => {
    const panel = panelLink.state();
    return panel && { url: panel.cp_url };
  });
  const operations = createOperations({ db, clock, ids, bus });
  const apps = wireApps({ ...base, operations, plan });
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
    panelLink,
    plan,
    parts: [...platform.parts, ...peopleParts, ...apps.parts],
    guard: accessPlugin(authorize, config.trusted_proxies),
  };
}
