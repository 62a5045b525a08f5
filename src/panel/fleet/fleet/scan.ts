import type { TenantFleet } from "../../agents/live/index.ts";
import type { Facets } from "./contract.ts";
import { type Filter, RANK, STATUSES, scopeOf, wantedOf } from "./match.ts";
import type { CodedColumn, IndexedNodes } from "./node-index.ts";

/** The nodes that a filter leaves, and what its facets count. */
export interface Scan {
  /** In no order. */
  positions: Uint32Array;
  /** The rank of each node's status, by position. */
  status: Uint8Array;
  facets: Facets;
}

/** So many nodes are looked at in one step, where nothing is looked for in their texts; and so much is one text worth. */
const STEP = 256;
const TEXT = 16;

/** The rank of every node's status at this moment, by position. */
export function readStatuses(fleet: TenantFleet, { size, no }: IndexedNodes): Uint8Array {
  const status = new Uint8Array(size);
  for (let position = 0; position < size; position++) status[position] = rankOf(fleet, no[position]);
  return status;
}

const rankOf = (fleet: TenantFleet, no = -1): number => RANK[fleet.verdict(no).status];

/** One look at every node, in short steps: which ones the filter leaves, and the facets, which do not heed what they stand for. */
export function* scanFleet(fleet: TenantFleet, index: IndexedNodes, filter: Filter): Generator<void, Scan> {
  const { size, no } = index;
  const status = new Uint8Array(size);
  const inScope = scopeOf(fleet, index, filter, status);
  const isWanted = wantedOf(index, filter, status);
  const found = new Uint32Array(size);
  let count = 0;
  const tally = { status: new Uint32Array(STATUSES.length), ...tallies(index) };
  const [region, version, client] = [index.code("region"), index.code("version"), index.code("client")];

  function look(position: number): void {
    status[position] = rankOf(fleet, no[position]);
    if (!inScope(position)) return;
    bump(tally.status, status[position]);
    bump(tally.region, region[position]);
    bump(tally.version, version[position]);
    bump(tally.client, client[position]);
    if (isWanted(position)) found[count++] = position;
  }

  const step = Math.max(1, Math.floor(STEP / (1 + TEXT * textsOf(filter))));
  for (let start = 0; start < size; start += step) {
    for (let position = start; position < Math.min(start + step, size); position++) look(position);
    yield;
  }
  return { positions: found.subarray(0, count), status, facets: facetsOf(index, tally) };
}

/** How often each node's texts are searched. */
const textsOf = ({ q = "", not = {} }: Filter): number => (q.trim() === "" ? 0 : 1) + (not.q?.length ?? 0);

function bump(counts: Uint32Array, code: number | undefined): void {
  if (code !== undefined) counts[code] = (counts[code] ?? 0) + 1;
}

const tallies = (index: IndexedNodes) => ({
  region: new Uint32Array(index.names("region").size()),
  version: new Uint32Array(index.names("version").size()),
  client: new Uint32Array(index.names("client").size()),
});

function facetsOf(index: IndexedNodes, tally: ReturnType<typeof tallies> & { status: Uint32Array }): Facets {
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
  index: IndexedNodes,
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
