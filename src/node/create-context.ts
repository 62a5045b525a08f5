import { accessPlugin } from "../kernel/http/access.ts";
import type { NodePlan } from "../shared/plans/index.ts";
import { announcedThings } from "./announced.ts";
import { wireApps } from "./apps/wire.ts";
import type { NodeContext } from "./context.ts";
import { createBase, type NodeWorld } from "./create-base.ts";
import type { NodeEvents } from "./events.ts";
import { nodeFeatures } from "./features.ts";
import { wireMonitoring } from "./monitoring/wire.ts";
import { wirePanelLink } from "./panel-link/wire.ts";
import { wirePeople } from "./people/wire.ts";
import { createEventHub } from "./platform/events/index.ts";
import { createOperations, PANEL } from "./platform/operations/index.ts";
import { createDeliverer } from "./platform/webhooks/index.ts";
import { wirePlatform } from "./platform/wire.ts";

/** Builds the one context of a running node; the databases must be migrated already. */
export function createContext(world: NodeWorld): NodeContext {
  const base = createBase<NodeEvents>(world, nodeFeatures);
  const { config, db, bus, clock, ids } = base;
  base.lists.names.add((id) => (id === PANEL ? "the panel" : null));
  const plan = (): NodePlan => {
    for (const read of base.lists.plans.all()) {
      const decided = read();
      if (decided !== null) return decided;
    }
    return config.plan;
  };
  const platform = wirePlatform(base);
  const { identity } = platform;
  const { authorize, parts: peopleParts, ...people } = wirePeople({ ...base, identity, plan });
  const operations = createOperations({ db, clock, ids, bus });
  const apps = wireApps({ ...base, operations, plan });
  const monitoring = wireMonitoring({ ...base, identity, runtime: apps.runtime, apps: apps.apps });
  base.lists.watched.add(announcedThings);
  const panelLink = wirePanelLink({
    ...base,
    identity,
    apps: apps.apps,
    runtime: apps.runtime,
    series: monitoring.metrics.series,
    alerts: monitoring.alerting,
    plan,
    users: people.users,
    signIns: people.signIns,
  });
  return {
    ...base,
    ...people,
    webhooks: createDeliverer(base),
    monitoring,
    series: monitoring.metrics.series,
    recorder: monitoring.metrics.recorder,
    operations,
    eventHub: createEventHub(ids.next("run")),
    runtime: apps.runtime,
    templates: apps.templates,
    apps: apps.apps,
    panelLink: panelLink.panelLink,
    plan,
    parts: [...platform.parts, ...peopleParts, ...apps.parts, ...monitoring.parts, ...panelLink.parts],
    guard: accessPlugin(authorize, config.trusted_proxies),
  };
}
