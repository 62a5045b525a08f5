import { naturalKey, versionKey } from "../../src/lib/natural-key.ts";
import type { TenantFleet } from "../../src/panel/agents/live/index.ts";
import { type Filter, STATUSES } from "../../src/panel/fleet/fleet/match.ts";
import { presentInstance } from "../../src/panel/fleet/fleet/present.ts";

type Value = string | number | null;

/** Every answer the slow and simple way: all nodes as rows, filtered and sorted whole. */
export function oracle(fleet: TenantFleet, wanted: Filter, sort: string) {
  const rows = fleet.nodes().map((node) => ({ node, row: presentInstance(fleet, node) }));
  const scope = rows.filter(({ node, row }) => {
    const q = (wanted.q ?? "").trim();
    const texts = [row.hostname, row.ip_address, row.public_ip, ...row.ip_addresses, ...row.tags];
    const places = [row.region, row.zone, row.cloud_provider];
    const isFound = [...texts, ...places].some((text) => text?.toLowerCase().includes(q.toLowerCase()));
    if (q !== "" && !isFound && row.id !== q) return false;
    const not = wanted.not ?? {};
    const hasTag = (tag: string): boolean => row.tags.some((one) => one.toLowerCase() === tag.toLowerCase());
    const has = (list: readonly string[] | undefined, value: string | null): boolean =>
      list?.includes(value ?? "-") === true;
    if (wanted.groupIds && !has(wanted.groupIds, node.group_id)) return false;
    if (wanted.tenant && !has(wanted.tenant, row.msp_client_id ?? "none")) return false;
    if (!(wanted.tag ?? []).every(hasTag)) return false;
    if (has(not.groupIds, node.group_id) || has(not.tenant, row.msp_client_id ?? "none")) return false;
    if ((not.tag ?? []).some(hasTag)) return false;
    const mentions = (part: string): boolean =>
      row.id === part || [...texts, ...places].some((text) => text?.toLowerCase().includes(part.toLowerCase()));
    if ((not.q ?? []).some(mentions)) return false;
    return (wanted.where ?? []).every(({ column, sign, limit }) => {
      const values: Record<typeof column, number | null> = {
        cpu: row.cpu_percent,
        memory: row.memory_percent,
        disk: row.disk_percent,
        uptime_seconds: row.uptime_seconds,
        apps: row.apps_count,
        last_seen: row.last_seen === null ? null : Date.parse(row.last_seen),
      };
      const value = values[column];
      if (value === null) return false;
      return { "<": value < limit, "<=": value <= limit, ">": value > limit, ">=": value >= limit }[sign];
    });
  });
  const found = scope.filter(({ row }) => {
    const not = wanted.not ?? {};
    const region = row.region ?? "unknown";
    if (wanted.status && !wanted.status.includes(row.status)) return false;
    if (wanted.region && !wanted.region.includes(region)) return false;
    if (wanted.version && !wanted.version.includes(row.version)) return false;
    if (not.status?.includes(row.status) || not.region?.includes(region) || not.version?.includes(row.version))
      return false;
    return !wanted.ids || wanted.ids.includes(row.id);
  });
  const column = sort.replace("-", "");
  const sortValue = ({ row }: (typeof rows)[number]): Value => {
    const values: Record<string, Value> = {
      host: naturalKey(row.hostname),
      ip: row.ip_address && naturalKey(row.ip_address),
      region: row.region && naturalKey(row.region),
      tenant: (row.client_name ?? row.msp_client_id) && naturalKey(row.client_name ?? row.msp_client_id ?? ""),
      cpu: row.cpu_percent,
      mem: row.memory_percent,
      disk: row.disk_percent,
      version: versionKey(row.version),
      uptime: row.uptime_seconds,
      status: STATUSES.indexOf(row.status),
      last_seen: row.last_seen && Date.parse(row.last_seen),
    };
    return values[column] ?? null;
  };
  const sign = sort.startsWith("-") ? -1 : 1;
  found.sort((a, b) => {
    const [first, second] = [sortValue(a), sortValue(b)];
    if ((first === null) !== (second === null)) return first === null ? 1 : -1;
    if (first !== null && second !== null && first !== second) return first < second ? -sign : sign;
    return a.row.id < b.row.id ? -1 : 1;
  });
  const count = (values: string[]) => {
    const counts: Record<string, number> = {};
    for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
    return counts;
  };
  const hasClients = rows.some(({ row }) => row.msp_client_id !== null);
  const [page, per_page] = [wanted.page ?? 1, wanted.per_page ?? 50];
  return {
    items: found.slice((page - 1) * per_page, page * per_page).map(({ row }) => row),
    total: found.length,
    page,
    per_page,
    facets: {
      status: {
        online: 0,
        degraded: 0,
        offline: 0,
        pending: 0,
        ...count(scope.map(({ row }) => row.status)),
      },
      regions: { unknown: 0, ...count(scope.map(({ row }) => row.region ?? "unknown")) },
      versions: count(scope.map(({ row }) => row.version)),
      ...(hasClients ? { clients: count(scope.map(({ row }) => row.msp_client_id ?? "none")) } : {}),
    },
  };
}
