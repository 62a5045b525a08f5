import { accessPlugin } from "../kernel/http/access.ts";
import { createLimiter } from "../kernel/http/limit.ts";
import { minutes } from "../lib/duration.ts";
import { createExpiringMap } from "../lib/expiring-map.ts";
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
import { createAuthorize } from "./people/auth/index.ts";
import { createIdleLock } from "./people/lock/index.ts";
import { MAX_CHALLENGES } from "./people/passkeys/index.ts";
import { createAccessTokens } from "./people/sessions/index.ts";
import { finishSignIn } from "./people/sign-ins/index.ts";
import { createPendingLogins } from "./people/totp/index.ts";
import {
  changeUser,
  countActiveAdmins,
  createUser,
  findCredentials,
  findUser,
  tellCreated,
} from "./people/users/index.ts";
import { wirePlatform } from "./platform/wire.ts";

/** Builds the one context of a running node; the databases must be migrated already. */
export function createContext(world: NodeWorld): NodeContext {
  const base = createBase<NodeEvents>(world, nodeFeatures);
  const { config, db, bus, clock, ids, log, seal, metricsDb, host } = base;
  base.lists.names.add((id) => findUser(db, id)?.username ?? null);
  const tokens = createAccessTokens({ seal, clock });
  const idleLock = createIdleLock({ db, clock, bus });
  const { identity, operations, events, webhooks, releaseNotes, plans, ...platform } = wirePlatform(base);
  const { plan } = plans;
  const authorize = createAuthorize({ db, clock, config, tokens, seal, idleLock, log, plan });
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
    users: {
      find: (id) => findUser(db, id),
      findCredentials: (username) => findCredentials(db, username),
      countActiveAdmins: () => countActiveAdmins(db),
      create: (account, options) => createUser(base, account, options),
      change: (by, id, change) => changeUser(base, by, id, change),
      tellCreated: (by, user) => tellCreated(base, by, user),
    },
    signIns: { finish: (userId, origin, method) => finishSignIn({ ...base, tokens }, userId, origin, method) },
  });
  return {
    ...base,
    tokens,
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
    attempts: createLimiter(clock, 5, minutes(15)),
    challenges: createExpiringMap(clock, MAX_CHALLENGES),
    pendingLogins: createPendingLogins(clock, ids),
    idleLock,
    panelLink: panelLink.panelLink,
    plan,
    parts: [...platform.parts, ...apps.parts, ...panelLink.parts],
    guard: accessPlugin(authorize, config.trusted_proxies),
  };
}
