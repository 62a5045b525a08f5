import { accessPlugin } from "../kernel/http/access.ts";
import { createLimiter } from "../kernel/http/limit.ts";
import { minutes } from "../lib/duration.ts";
import { createExpiringMap } from "../lib/expiring-map.ts";
import { createAppState, createDiskUseCache } from "./apps/apps/index.ts";
import { createRuntime } from "./apps/runtime/index.ts";
import type { NodeContext } from "./context.ts";
import { createBase, type NodeWorld } from "./create-base.ts";
import type { NodeEvents } from "./events.ts";
import { nodeFeatures } from "./features.ts";
import { countOpenAlerts } from "./monitoring/alerting/index.ts";
import { createBaselines } from "./monitoring/baselines/index.ts";
import { createDiskWatch } from "./monitoring/disks/index.ts";
import { createSeriesBook } from "./monitoring/metrics/index.ts";
import { createLiveSampler } from "./monitoring/system/index.ts";
import { createPanelLink } from "./panel-link/panel-link/index.ts";
import { createAuthorize } from "./people/auth/index.ts";
import { createIdleLock } from "./people/lock/index.ts";
import { MAX_CHALLENGES } from "./people/passkeys/index.ts";
import { createAccessTokens } from "./people/sessions/index.ts";
import { createPendingLogins } from "./people/totp/index.ts";
import { createEventHub } from "./platform/events/index.ts";
import { createOperations } from "./platform/operations/index.ts";
import { createDeliverer } from "./platform/webhooks/index.ts";
import { wirePlatform } from "./platform/wire.ts";

/** Builds the one context of a running node; the databases must be migrated already. */
export function createContext(world: NodeWorld): NodeContext {
  const base = createBase<NodeEvents>(world, nodeFeatures);
  const { config, db, bus, clock, ids, log, seal, signal, metricsDb, host } = base;
  const tokens = createAccessTokens({ seal, clock });
  const runtime = createRuntime({
    socketPath: config.docker_socket,
    clock,
    log,
    signal,
    onChange: (status) => bus.emit("runtime.changed", { runtime: status }),
  });
  const idleLock = createIdleLock({ db, clock, bus });
  const panelLink = createPanelLink({ db, seal, clock, config });
  const { plan } = panelLink;
  const authorize = createAuthorize({ db, clock, config, tokens, seal, idleLock, log, plan });
  const book = createSeriesBook(metricsDb, clock, (byMs) =>
    bus.emit("system.clock_jumped", { by_seconds: Math.round(byMs / 1000) }),
  );
  const platform = wirePlatform(base);
  return {
    ...base,
    tokens,
    webhooks: createDeliverer(base),
    live: createLiveSampler(clock, host),
    ...book,
    baselines: createBaselines({ db, series: book.series, clock, ids }),
    disks: createDiskWatch({ config, host, db, clock, bus }),
    operations: createOperations({ db, clock, ids, bus }),
    eventHub: createEventHub(ids.next("run")),
    runtime,
    apps: createAppState(createDiskUseCache({ clock, log, runtime })),
    openAlerts: () => countOpenAlerts(db),
    attempts: createLimiter(clock, 5, minutes(15)),
    challenges: createExpiringMap(clock, MAX_CHALLENGES),
    pendingLogins: createPendingLogins(clock, ids),
    idleLock,
    panelLink,
    plan,
    parts: [...platform.parts],
    guard: accessPlugin(authorize, config.trusted_proxies),
  };
}
