import type { Database } from "bun:sqlite";
import { createBus } from "../kernel/bus.ts";
import { createStore } from "../kernel/db/store.ts";
import { collectSettings } from "../kernel/feature.ts";
import { accessPlugin } from "../kernel/http/access.ts";
import { createLimiter } from "../kernel/http/limit.ts";
import { createJobs } from "../kernel/jobs.ts";
import type { Log } from "../kernel/log.ts";
import { createOutgoing, parseCidr } from "../kernel/outgoing/index.ts";
import { createSeal } from "../kernel/seal.ts";
import { createSettings } from "../kernel/settings.ts";
import { type Clock, systemClock, toIso } from "../lib/clock.ts";
import { minutes } from "../lib/duration.ts";
import { createExpiringMap } from "../lib/expiring-map.ts";
import type { Ids } from "../lib/ids.ts";
import { createAppState, createDiskUseCache } from "./apps/apps/index.ts";
import { createRuntime } from "./apps/runtime/index.ts";
import type { NodeConfig } from "./config.ts";
import type { NodeContext } from "./context.ts";
import type { NodeEvents } from "./events.ts";
import { nodeFeatures } from "./features.ts";
import { createHost } from "./machine/index.ts";
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

/** What the outside gives: the world a node runs in. */
export interface NodeWorld {
  config: NodeConfig;
  version: string;
  embedRoot: string;
  log: Log;
  clock: Clock;
  ids: Ids;
  random: () => number;
  mainDb: Database;
  metricsDb: Database;
  /** Master key, 32 bytes. */
  sealKey: Uint8Array;
  signal: AbortSignal;
}

/** Builds the one context of a running node; the databases must be migrated already. */
export function createContext(world: NodeWorld): NodeContext {
  const { config, version, embedRoot, log, clock, ids, metricsDb, signal } = world;
  const db = createStore(world.mainDb);
  const seal = createSeal(world.sealKey);
  const tokens = createAccessTokens({ seal, clock });
  const bus = createBus<NodeEvents>(log, db.afterCommit);
  // The kernel counts in real time, so the host has the real clock whatever the program's own one shows.
  const host = createHost(systemClock, config.host_root, signal);
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
  const ownPorts = new Set([config.listen.port]);
  const outgoing = createOutgoing({ clock, allowed: config.webhook_allow_cidrs.map(parseCidr), ownPorts });
  return {
    config,
    version,
    embedRoot,
    log,
    clock,
    ids,
    random: world.random,
    db,
    metricsDb,
    seal,
    tokens,
    signal,
    bus,
    host,
    ownPorts,
    listening: { ...config.listen },
    outgoing,
    webhooks: createDeliverer({
      config,
      db,
      clock,
      ids,
      bus,
      host,
      seal,
      outgoing,
      log,
      version,
      signal,
      random: world.random,
    }),
    live: createLiveSampler(clock, host),
    ...book,
    baselines: createBaselines({ db, series: book.series, clock, ids }),
    disks: createDiskWatch({ config, host, db, clock, bus }),
    operations: createOperations({ db, clock, ids, bus }),
    eventHub: createEventHub(ids.next("run")),
    jobs: createJobs(clock, log, world.random),
    settings: createSettings(db, seal, collectSettings(nodeFeatures), () => toIso(clock.now())),
    runtime,
    apps: createAppState(createDiskUseCache({ clock, log, runtime })),
    openAlerts: () => countOpenAlerts(db),
    attempts: createLimiter(clock, 5, minutes(15)),
    challenges: createExpiringMap(clock, MAX_CHALLENGES),
    pendingLogins: createPendingLogins(clock, ids),
    idleLock,
    panelLink,
    plan,
    guard: accessPlugin(authorize, config.trusted_proxies),
  };
}
