/** The one place that knows every area of the node. */
import type { Bus } from "../kernel/bus.ts";
import type { Part } from "../kernel/feature.ts";
import { wireApps } from "./apps/wire.ts";
import { wireBackups } from "./backups/wire.ts";
import type { NodeBase } from "./base.ts";
import type { NodeEvents } from "./features.ts";
import type { HostRole } from "./host/host-role/index.ts";
import { wireHost } from "./host/wire.ts";
import { wireMonitoring } from "./monitoring/wire.ts";
import { wirePanelLink } from "./panel-link/wire.ts";
import { wirePeople } from "./people/wire.ts";
import { wirePlatform } from "./platform/wire.ts";
import { wireStorage } from "./storage/wire.ts";

/** The base, with the bus that carries every event of the node. */
type Base = NodeBase & { bus: Bus<NodeEvents> };

/** What tests put in the place of what changes the machine below. */
export interface StandIn {
  hostRole?: HostRole;
}

/** Makes every feature of the node; the order of the lines is the boot order. Nothing runs yet. */
export function wireNode(base: Base, standIn: StandIn = {}) {
  const platform = wirePlatform(base);
  const { identity, operations, events, releaseNotes, timeline } = platform;
  const { plan } = platform.plans;
  const people = wirePeople({ ...base, identity, events, plan });
  const { users, signIns, sessions } = people;
  const host = wireHost({ ...base, operations, presence: people.auth.presence, totp: people.totp }, standIn.hostRole);
  const storage = wireStorage({ ...base, plan, components: host.components });
  const apps = wireApps({ ...base, operations, plan, presence: people.auth.presence, seats: host.hostTerminals.seats });
  const monitoring = wireMonitoring({ ...base, identity, timeline, runtime: apps.runtime, apps: apps.apps });
  const { series } = monitoring.metrics;
  const alerts = monitoring.alerting;
  const { objects, objectStore, drive } = storage;
  const backups = wireBackups({
    ...base,
    identity,
    operations,
    objects,
    objectStore,
    drive,
    apps: apps.apps,
    hostRole: standIn.hostRole ?? host.hostRole,
    runtime: apps.runtime,
  });
  const panelLink = wirePanelLink({
    ...base,
    ...apps,
    hostTerminals: host.hostTerminals,
    identity,
    releaseNotes,
    series,
    logs: monitoring.logs,
    alerts,
    plan,
    users,
    signIns,
    sessions,
  });
  const parts: readonly Part[] = [platform, people, host, storage, apps, monitoring, backups, panelLink].flatMap(
    (area) => area.parts,
  );
  return {
    ...base,
    ...platform,
    ...people,
    hostRole: host.hostRole,
    components: host.components,
    hostTerminals: host.hostTerminals,
    ...storage,
    ...apps,
    ...monitoring,
    ...panelLink,
    plan,
    parts,
  };
}

/** A whole node: its base and all its features. */
export type WiredNode = ReturnType<typeof wireNode>;
