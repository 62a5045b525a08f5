import { accessPlugin } from "../kernel/http/access.ts";
import { createLimiter } from "../kernel/http/limit.ts";
import { minutes } from "../lib/duration.ts";
import { createExpiringMap } from "../lib/expiring-map.ts";
import { announcedThings } from "./announced.ts";
import { wireApps } from "./apps/wire.ts";
import type { NodeContext } from "./context.ts";
import { createBase, type NodeWorld } from "./create-base.ts";
import type { NodeEvents } from "./events.ts";
import { nodeFeatures } from "./features.ts";
import { wireMonitoring } from "./monitoring/wire.ts";
import { createPanelLink } from "./panel-link/panel-link/index.ts";
import { createAuthorize } from "./people/auth/index.ts";
import { createIdleLock } from "./people/lock/index.ts";
import { MAX_CHALLENGES } from "./people/passkeys/index.ts";
import { createAccessTokens } from "./people/sessions/index.ts";
import { createPendingLogins } from "./people/totp/index.ts";
import { findUser } from "./people/users/index.ts";
import { createEventHub } from "./platform/events/index.ts";
import { createOperations, PANEL } from "./platform/operations/index.ts";
import { createDeliverer } from "./platform/webhooks/index.ts";
import { wirePlatform } from "./platform/wire.ts";

/** Builds the one context of a running node; the databases must be migrated already. */
export function createContext(world: NodeWorld): NodeContext {
  const base = createBase<NodeEvents>(world, nodeFeatures);
  const { config, db, bus, clock, ids, log, seal } = base;
  base.lists.names.add((id) => findUser(db, id)?.username ?? null);
  base.lists.names.add((id) => (id === PANEL ? "the panel" : null));
  const tokens = createAccessTokens({ seal, clock });
  const idleLock = createIdleLock({ db, clock, bus });
  const panelLink = createPanelLink({ db, seal, clock, config });
  const { plan } = panelLink;
  const authorize = createAuthorize({ db, clock, config, tokens, seal, idleLock, log, plan });
  const platform = wirePlatform(base);
  const operations = createOperations({ db, clock, ids, bus });
  const apps = wireApps({ ...base, operations, plan });
  const monitoring = wireMonitoring({
    ...base,
    identity: platform.identity,
    runtime: apps.runtime,
    apps: apps.apps,
  });
  base.lists.watched.add(announcedThings);
  return {
    ...base,
    tokens,
    webhooks: createDeliverer(base),
    monitoring,
    series: monitoring.metrics.series,
    recorder: monitoring.metrics.recorder,
    operations,
    eventHub: createEventHub(ids.next("run")),
    runtime: apps.runtime,
    templates: apps.templates,
    apps: apps.apps,
    openAlerts: monitoring.alerting.countOpen,
    attempts: createLimiter(clock, 5, minutes(15)),
    challenges: createExpiringMap(clock, MAX_CHALLENGES),
    pendingLogins: createPendingLogins(clock, ids),
    idleLock,
    panelLink,
    plan,
    parts: [...platform.parts, ...apps.parts, ...monitoring.parts],
    guard: accessPlugin(authorize, config.trusted_proxies),
  };
}
