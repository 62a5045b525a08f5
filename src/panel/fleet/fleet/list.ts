import { sortRange } from "../../../lib/smallest.ts";
import type { FleetColumns, TenantFleet } from "../../agents/live/index.ts";
import { type InstancePage, type InstancesQuery, PAGE_DEFAULT, type SortName } from "./contract.ts";
import { FIRST_SILENT, type Filter } from "./match.ts";
import type { FleetIndexes, IndexedNodes } from "./node-index.ts";
import { presentInstance } from "./present.ts";
import type { FactColumn } from "./ranked-columns.ts";
import { type Scan, scanFleet } from "./scan.ts";

/** Which column of the live store a figure is in. */
const FIGURES = { cpu: "cpu", mem: "memory", disk: "disk", uptime: "uptime_seconds" } as const satisfies Partial<
  Record<SortName, keyof FleetColumns>
>;

/**
 * A page of the nodes that a filter leaves, in short steps. Sorted by one column, then by id; nodes that have nothing in the column
 * come last in both directions.
 */
export function* listInstances(
  { indexOf }: Pick<FleetIndexes, "indexOf">,
  fleet: TenantFleet,
  filter: Filter,
): Generator<void, InstancePage> {
  const { page = 1, per_page = PAGE_DEFAULT, sort = "host" } = filter;
  const index = indexOf(fleet).still(columnsFor(sort));
  const scan = yield* scanFleet(fleet, index, filter);
  const { positions, facets } = scan;
  const first = (page - 1) * per_page;
  const keys = sortKeys(fleet, index, scan, sort);
  sortRange(positions, keys, index.rank("id"), first, first + per_page);
  const nodes = [...positions.subarray(first, first + per_page)].map((position) => index.facts[position]);
  const items = nodes.flatMap((facts) => (facts ? [presentInstance(fleet, fleet.get(facts.id) ?? facts)] : []));
  return { items, total: positions.length, page, per_page, facets };
}

/** The ids of the nodes that a filter leaves, by their host names, in short steps. */
export function* listIds(
  { indexOf }: Pick<FleetIndexes, "indexOf">,
  fleet: TenantFleet,
  filter: Filter,
): Generator<void, string[]> {
  const index = indexOf(fleet).still(columnsFor("host"));
  const scan = yield* scanFleet(fleet, index, filter);
  const { positions } = scan;
  sortRange(positions, sortKeys(fleet, index, scan, "host"), index.rank("id"), 0, positions.length);
  return [...positions].flatMap((position) => index.facts[position]?.id ?? []);
}

/** Makes ready what a list sorted this way needs. */
export const prepareList = ({ prepareIndex }: FleetIndexes, fleet: TenantFleet, sort = "host"): Promise<void> =>
  prepareIndex(fleet, columnsFor(sort));

/** The columns of facts that a list sorted this way needs. */
function columnsFor(sort: string): FactColumn[] {
  const column = sort.replace("-", "");
  const isOfFacts = !isFigure(column) && column !== "status" && column !== "last_seen";
  return isOfFacts ? ["id", factColumn(column)] : ["id"];
}

function isFigure(column: string): column is keyof typeof FIGURES {
  return Object.hasOwn(FIGURES, column);
}

/** A number by position that sorts ascending as asked, infinite where a node has nothing. */
function sortKeys(fleet: TenantFleet, index: IndexedNodes, scan: Scan, sort: InstancesQuery["sort"] & string) {
  const isDescending = sort.startsWith("-");
  const column = sort.replace("-", "");
  const valueAt = valuesOf(fleet, index, scan.status, column);
  const keys = new Float64Array(index.size);
  for (const position of scan.positions) {
    const value = valueAt(position);
    if (Number.isNaN(value)) keys[position] = Number.POSITIVE_INFINITY;
    else keys[position] = isDescending ? -value : value;
  }
  return keys;
}

/** The value of a column by position; NaN for none. */
function valuesOf(
  fleet: TenantFleet,
  index: IndexedNodes,
  status: Uint8Array,
  column: string,
): (position: number) => number {
  const { no } = index;
  if (column === "status") return (position) => status[position] ?? Number.NaN;
  if (column === "last_seen") {
    const { last_seen } = fleet.columns();
    return (position) => last_seen[no[position] ?? -1] || Number.NaN;
  }
  if (isFigure(column)) {
    const figures = fleet.columns()[FIGURES[column]];
    return (position) =>
      (status[position] ?? FIRST_SILENT) >= FIRST_SILENT ? Number.NaN : (figures[no[position] ?? -1] ?? Number.NaN);
  }
  const ranks = index.rank(factColumn(column));
  return (position) => ranks[position] ?? Number.NaN;
}

function factColumn(column: string): FactColumn {
  if (column === "ip" || column === "region" || column === "tenant" || column === "version") return column;
  return "host";
}
