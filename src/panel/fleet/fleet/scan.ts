import type { TenantFleet, Verdict } from "../../agents/live/index.ts";
import type { Facets, InstancesQuery, Status } from "./contract.ts";
import type { CodedColumn, NodeIndex } from "./node-index.ts";

/** Statuses from best to worst, which is also how they sort. */
export const STATUSES = ["online", "degraded", "offline", "pending"] as const;
const RANK: Record<Status, number> = { online: 0, degraded: 1, offline: 2, pending: 3 };

/** From this rank on a node's figures are of the past. */
export const FIRST_SILENT = RANK.offline;

/** What to look for, as it came; `groupIds` are the groups that `group` means. */
export interface Filter extends Omit<InstancesQuery, "ids" | "group"> {
  ids?: readonly string[];
  groupIds?: readonly string[];
}

/** The nodes that a filter leaves, and what its facets count. */
export interface Scan {
  /** In no order. */
  positions: Uint32Array;
  /** The rank of each node's status, by position. */
  status: Uint8Array;
  facets: Facets;
}

/** The rank of every node's status at this moment, by position. */
export function readStatuses(fleet: TenantFleet, { size, no }: NodeIndex): Uint8Array {
  const status = new Uint8Array(size);
  for (let position = 0; position < size; position++) {
    const verdict: Verdict = fleet.verdict(no[position] ?? -1);
    status[position] = RANK[verdict.status];
  }
  return status;
}

/** One look at every node: which ones the filter leaves, and the facets, which heed only `q`, `group` and `tenant`. */
export function scanFleet(fleet: TenantFleet, index: NodeIndex, filter: Filter): Scan {
  const status = readStatuses(fleet, index);
  const inScope = scopeOf(index, filter);
  const isWanted = wantedOf(index, filter, status);
  const found = new Uint32Array(index.size);
  let count = 0;
  const tally = { status: new Uint32Array(STATUSES.length), ...tallies(index) };
  const [region, version, client] = [index.code("region"), index.code("version"), index.code("client")];
  for (let position = 0; position < index.size; position++) {
    if (!inScope(position)) continue;
    bump(tally.status, status[position]);
    bump(tally.region, region[position]);
    bump(tally.version, version[position]);
    bump(tally.client, client[position]);
    if (isWanted(position)) found[count++] = position;
  }
  return { positions: found.subarray(0, count), status, facets: facetsOf(index, tally) };
}

function bump(counts: Uint32Array, code: number | undefined): void {
  if (code !== undefined) counts[code] = (counts[code] ?? 0) + 1;
}

const tallies = (index: NodeIndex) => ({
  region: new Uint32Array(index.names("region").size()),
  version: new Uint32Array(index.names("version").size()),
  client: new Uint32Array(index.names("client").size()),
});

/** True where `q`, `group` and `tenant` let a node through. */
function scopeOf(index: NodeIndex, { q = "", groupIds, tenant }: Filter): (position: number) => boolean {
  const tests: ((position: number) => boolean)[] = [];
  if (tenant !== undefined) tests.push(codeTest(index, "client", tenant === "none" ? [""] : [tenant]));
  if (groupIds !== undefined) tests.push(codeTest(index, "group", groupIds));
  const wanted = q.trim();
  if (wanted !== "") {
    const part = wanted.toLowerCase();
    const exact = index.positionOf(wanted);
    const { text } = index;
    tests.push((position) => position === exact || (text[position]?.includes(part) ?? false));
  }
  return all(tests);
}

/** True where the other filters let a node through. */
function wantedOf(index: NodeIndex, filter: Filter, status: Uint8Array): (position: number) => boolean {
  const tests: ((position: number) => boolean)[] = [];
  if (filter.status !== undefined) {
    const rank = RANK[filter.status];
    tests.push((position) => status[position] === rank);
  }
  const { region, version, ids } = filter;
  if (region !== undefined) tests.push(codeTest(index, "region", region === "unknown" ? ["", region] : [region]));
  if (version !== undefined) tests.push(codeTest(index, "version", [version]));
  if (ids !== undefined) {
    const named = new Set(ids.map((id) => index.positionOf(id)));
    tests.push((position) => named.has(position));
  }
  return all(tests);
}

/** True for nodes that have one of the texts in a column. */
function codeTest(index: NodeIndex, column: CodedColumn, texts: readonly string[]): (position: number) => boolean {
  const names = index.names(column);
  const codes = index.code(column);
  const wanted = texts.map((text) => names.find(text));
  const [only] = wanted;
  if (wanted.length === 1) return (position) => codes[position] === only;
  return (position) => wanted.includes(codes[position] ?? null);
}

function all(tests: readonly ((position: number) => boolean)[]): (position: number) => boolean {
  const [first, ...rest] = tests;
  if (!first) return () => true;
  if (rest.length === 0) return first;
  return (position) => tests.every((test) => test(position));
}

function facetsOf(index: NodeIndex, tally: ReturnType<typeof tallies> & { status: Uint32Array }): Facets {
  const [online = 0, degraded = 0, offline = 0, pending = 0] = tally.status;
  const regions = countsOf(index, "region", tally.region, "unknown");
  const hasClients = index
    .code("client")
    .subarray(0, index.size)
    .some((code) => code > 0);
  return {
    status: { online, degraded, offline, pending },
    regions: { ...regions, unknown: regions["unknown"] ?? 0 },
    versions: countsOf(index, "version", tally.version, "unknown"),
    ...(hasClients ? { clients: countsOf(index, "client", tally.client, "none") } : {}),
  };
}

/** Counts by name without those of zero, the ones that have none under `nameless`. */
function countsOf(
  index: NodeIndex,
  column: CodedColumn,
  counts: Uint32Array,
  nameless: string,
): Record<string, number> {
  const names = index.names(column);
  const found = new Map<string, number>();
  for (const [code, count] of counts.entries()) {
    if (count === 0) continue;
    const name = code === 0 ? nameless : names.nameOf(code);
    found.set(name, (found.get(name) ?? 0) + count);
  }
  return Object.fromEntries(found);
}
