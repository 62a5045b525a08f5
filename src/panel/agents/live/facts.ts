import { sha256Hex } from "../../../lib/digest.ts";
import { plainCharacter } from "../../../lib/plain-text.ts";
import { type HeartbeatInput, namedOf } from "../../../shared/agent-protocol/index.ts";
import { countFailedApps } from "./health.ts";
import type { AppReport, Inventory, NodeFacts } from "./port.ts";

const MAX_ADDRESSES = 64;
const MAX_TEXT = 256;

const HIDDEN = new RegExp(`(?!${plainCharacter()})[^]`, "g");

/**
 * A text that a node told; null when it is none. Without what nobody sees: it stands in lists and letters, and a half of a character
 * comes back from a table as another one.
 */
function textOf(value: unknown): string | null {
  return (typeof value === "string" && value.slice(0, MAX_TEXT).replaceAll(HIDDEN, "").trim()) || null;
}

/** A copy: a part of a text would keep the whole of it in memory. */
const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** The region that a node tells of itself. */
export const toldRegion = (inventory: Inventory | null): string | null => textOf(inventory?.["region"]);

/** What is kept in memory of an inventory. */
function inventoryKept(inventory: Inventory): Inventory {
  const region = toldRegion(inventory);
  return { ...namedOf(inventory), ...(region !== null && { region: copyOf(region) }) };
}

/**
 * What is kept in memory of what a node tells of its apps: the fields that have a name here, since a node may tell more. Texts
 * that are known already are kept once.
 */
export function appsKept(told: readonly AppReport[], known: readonly AppReport[]): readonly AppReport[] {
  return told.map((app, index) => {
    const before = known[index];
    const { app_id, name, status, image, restart_count } = before && isSameApp(app, before) ? before : app;
    return { app_id, name, status, image, cpu_percent: app.cpu_percent, mem_bytes: app.mem_bytes, restart_count };
  });
}

/** Where a node says it stands; `given` is what else is known. */
function placeOf(
  inventory: Inventory | null,
  given: { region: string | null; ip_address: string | null },
): Pick<
  NodeFacts,
  "region" | "region_source" | "zone" | "cloud_provider" | "ip_address" | "public_ip" | "ip_addresses"
> {
  const told = toldRegion(inventory);
  const addresses = inventory?.["ip_addresses"];
  return copyOf({
    region: given.region ?? told,
    region_source: given.region !== null ? "manual" : told !== null ? "auto" : null,
    zone: textOf(inventory?.["zone"]),
    cloud_provider: textOf(inventory?.["cloud_provider"]),
    ip_address: textOf(inventory?.["ip_address"]) ?? given.ip_address,
    public_ip: textOf(inventory?.["public_ip"]),
    ip_addresses: Array.isArray(addresses)
      ? addresses
          .map(textOf)
          .filter((address) => address !== null)
          .slice(0, MAX_ADDRESSES)
      : [],
  });
}

/** What is stored of a node that its facts are made of. Times in milliseconds, `tags`, `inventory` and `apps` as JSON. */
export interface StoredNode {
  tenant_id: string;
  id: string;
  no: number;
  hostname: string;
  version: string;
  region: string | null;
  client_id: string | null;
  client_name: string | null;
  group_id: string | null;
  tags: string;
  address: string;
  /** End of the certificate in use. */
  not_after: number;
  registered_at: number;
  first_seen_at: number | null;
  marked_offline: number;
  inventory: string | null;
  apps: string | null;
}

/** A node's facts from what is stored of it. */
export function factsOf(row: StoredNode): NodeFacts {
  const inventory: Inventory | null = row.inventory === null ? null : JSON.parse(row.inventory);
  const apps: readonly AppReport[] = row.apps === null ? [] : appsKept(JSON.parse(row.apps), []);
  return {
    no: row.no,
    id: row.id,
    tenant_id: row.tenant_id,
    hostname: row.hostname,
    version: row.version,
    ...placeOf(inventory, { region: row.region, ip_address: row.address }),
    tags: JSON.parse(row.tags),
    client_id: row.client_id,
    client_name: row.client_name,
    group_id: row.group_id,
    registered_at: row.registered_at,
    first_seen_at: row.first_seen_at,
    certificate_end: row.not_after,
    marked_offline: row.marked_offline === 1,
    inventory: inventory && inventoryKept(inventory),
    inventory_hash: row.inventory === null ? null : sha256Hex(row.inventory),
    apps,
    failed_apps: countFailedApps(apps),
    inventory_size: row.inventory?.length ?? 0,
    apps_size: row.apps?.length ?? 0,
  };
}

/** What of a report is new and has to be written down; null for what stays. */
export interface NewFacts {
  hostname: string;
  version: string;
  first_seen_at: number;
  inventory: string | null;
  apps: string | null;
}

/** True when two apps are the same but for what they use at the moment. */
const isSameApp = (a: AppReport, b: AppReport): boolean =>
  a.app_id === b.app_id &&
  a.name === b.name &&
  a.status === b.status &&
  a.image === b.image &&
  a.restart_count === b.restart_count;

function isSameApps(a: readonly AppReport[], b: readonly AppReport[]): boolean {
  return a.length === b.length && a.every((app, index) => b[index] !== undefined && isSameApp(app, b[index]));
}

/** Without the character that no database takes. */
const plain = (text: string): string => text.replaceAll("\u0000", "\uFFFD");

/** What a report brings: what is written down, and how it changes the facts, whatever they are by then. */
export interface Report {
  fresh: NewFacts;
  apply(facts: NodeFacts): NodeFacts;
}

/** What a heartbeat at `now` (milliseconds) changes about a node; null when it changes nothing. */
export function readReport(facts: NodeFacts, input: HeartbeatInput, now: number): Report | null {
  const hostname = plain(input.hostname ?? facts.hostname);
  const version = plain(input.version ?? facts.version);
  const text = input.inventory === undefined ? null : JSON.stringify(input.inventory);
  const hash = text === null ? null : sha256Hex(text);
  const inventory = hash === null || hash === facts.inventory_hash ? null : (input.inventory ?? null);
  const apps = input.apps === undefined || isSameApps(input.apps, facts.apps) ? null : appsKept(input.apps, facts.apps);
  const appsText = apps && JSON.stringify(apps);
  const isSame =
    inventory === null &&
    apps === null &&
    hostname === facts.hostname &&
    version === facts.version &&
    facts.first_seen_at !== null &&
    !facts.marked_offline;
  if (isSame) return null;
  const kept = inventory && inventoryKept(inventory);
  const told = { hostname, version, first_seen_at: facts.first_seen_at ?? now };
  return {
    fresh: { ...told, inventory: inventory && text, apps: appsText },
    apply: (latest) => ({
      ...latest,
      ...told,
      // It speaks, whatever was said about it.
      marked_offline: false,
      ...(inventory === null
        ? {}
        : {
            inventory: kept,
            inventory_hash: hash,
            inventory_size: text?.length ?? 0,
            ...placeOf(inventory, placeGiven(latest)),
          }),
      ...(apps === null ? {} : { apps, apps_size: appsText?.length ?? 0, failed_apps: countFailedApps(apps) }),
    }),
  };
}

/** What of a node's place was not told by itself. */
const placeGiven = ({ region, region_source, ip_address }: NodeFacts) => ({
  region: region_source === "manual" ? region : null,
  ip_address,
});
