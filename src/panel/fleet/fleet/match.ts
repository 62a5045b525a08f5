import type { TenantFleet } from "../../agents/live/index.ts";
import type { InstancesQuery, Status } from "./contract.ts";
import type { CodedColumn, IndexedNodes } from "./node-index.ts";

/** Statuses from best to worst, which is also how they sort. */
export const STATUSES = ["online", "degraded", "offline", "pending"] as const;
/** The place of each status among them. */
export const RANK: Record<Status, number> = { online: 0, degraded: 1, offline: 2, pending: 3 };

/** From this rank on a node's figures are of the past. */
export const FIRST_SILENT = RANK.offline;

/** What to look for, or to leave out. `groupIds` are the groups that were meant. */
export interface Marks {
  status?: readonly Status[];
  region?: readonly string[];
  version?: readonly string[];
  tenant?: readonly string[];
  groupIds?: readonly string[];
  tag?: readonly string[];
}

/** A figure against a limit; `last_seen` is a moment in milliseconds. */
export interface Comparison {
  column: "cpu" | "memory" | "disk" | "uptime_seconds" | "apps" | "last_seen";
  sign: "<" | "<=" | ">" | ">=";
  limit: number;
}

/** Which nodes, and in which order: each mark of the filter must fit, of several values of one any; of tags all. */
export interface Filter extends Marks, Pick<InstancesQuery, "page" | "per_page" | "sort" | "q"> {
  ids?: readonly string[];
  /** No node that any of this fits. */
  not?: Marks & { q?: readonly string[] };
  where?: readonly Comparison[];
}

type Test = (position: number) => boolean;

/** True where all but the facets and `ids` let a node through. */
export function scopeOf(fleet: TenantFleet, index: IndexedNodes, filter: Filter, status: Uint8Array): Test {
  const { q = "", groupIds, tenant, tag = [], not = {}, where = [] } = filter;
  const tests: Test[] = [];
  if (tenant) tests.push(codeTest(index, "client", tenant.map(clientName)));
  if (groupIds) tests.push(codeTest(index, "group", groupIds));
  if (tag.length > 0) tests.push(allTagsTest(index, tag));
  if (q.trim() !== "") tests.push(textTest(index, q.trim()));
  if (not.tenant) tests.push(isNot(codeTest(index, "client", not.tenant.map(clientName))));
  if (not.groupIds) tests.push(isNot(codeTest(index, "group", not.groupIds)));
  if (not.tag) tests.push(noTagTest(index, not.tag));
  for (const one of not.q ?? []) tests.push(isNot(textTest(index, one.trim())));
  for (const comparison of where) tests.push(comparisonTest(fleet, index, status, comparison));
  return all(tests);
}

/** True where the facets and `ids` let a node through. */
export function wantedOf(
  index: IndexedNodes,
  { status: wanted, region, version, ids, not = {} }: Filter,
  status: Uint8Array,
): Test {
  const tests: Test[] = [];
  if (wanted) tests.push(statusTest(status, wanted));
  if (region) tests.push(codeTest(index, "region", region.flatMap(regionNames)));
  if (version) tests.push(codeTest(index, "version", version));
  if (not.status) tests.push(isNot(statusTest(status, not.status)));
  if (not.region) tests.push(isNot(codeTest(index, "region", not.region.flatMap(regionNames))));
  if (not.version) tests.push(isNot(codeTest(index, "version", not.version)));
  if (ids) {
    const named = new Set(ids.map((id) => index.positionOf(id)));
    tests.push((position) => named.has(position));
  }
  return all(tests);
}

const isNot =
  (test: Test): Test =>
  (position) =>
    !test(position);
const clientName = (id: string): string => (id === "none" ? "" : id);
const regionNames = (region: string): string[] => (region === "unknown" ? ["", region] : [region]);

function statusTest(status: Uint8Array, wanted: readonly Status[]): Test {
  const ranks = wanted.map((one) => RANK[one]);
  const [only] = ranks;
  if (ranks.length === 1) return (position) => status[position] === only;
  return (position) => ranks.includes(status[position] ?? -1);
}

/** True where a text is part of what a search looks through, or the whole id. */
function textTest(index: IndexedNodes, wanted: string): Test {
  const { text } = index;
  const part = wanted.toLowerCase();
  const exact = index.positionOf(wanted);
  return (position) => position === exact || (text[position]?.includes(part) ?? false);
}

/** How many of some tags a node has. */
function tagCounter({ tags }: IndexedNodes, wanted: ReadonlySet<string>): (position: number) => number {
  const { codes } = tags;
  const isWanted = new Uint8Array(tags.size());
  for (const name of wanted) {
    const code = tags.find(name);
    if (code !== null) isWanted[code] = 1;
  }
  return (position) => {
    let count = 0;
    for (const code of codes[position] ?? []) count += isWanted[code] ?? 0;
    return count;
  };
}

/** Each tag once, as it counts in whatever case of letters. */
const distinctTags = (names: readonly string[]): Set<string> => new Set(names.map((name) => name.toLowerCase()));

function allTagsTest(index: IndexedNodes, names: readonly string[]): Test {
  const wanted = distinctTags(names);
  const count = tagCounter(index, wanted);
  return (position) => count(position) === wanted.size;
}

function noTagTest(index: IndexedNodes, names: readonly string[]): Test {
  const count = tagCounter(index, distinctTags(names));
  return (position) => count(position) === 0;
}

const COMPARE: Record<Comparison["sign"], (value: number, limit: number) => boolean> = {
  "<": (value, limit) => value < limit,
  "<=": (value, limit) => value <= limit,
  ">": (value, limit) => value > limit,
  ">=": (value, limit) => value >= limit,
};

/** True where a figure is as wanted; what a silent node measured last is no figure of now, and what is not known compares with nothing. */
function comparisonTest(
  fleet: TenantFleet,
  index: IndexedNodes,
  status: Uint8Array,
  { column, sign, limit }: Comparison,
): Test {
  const { no, facts } = index;
  const isSo = COMPARE[sign];
  if (column === "apps") return (position) => isSo(facts[position]?.apps.length ?? Number.NaN, limit);
  const figures = fleet.columns()[column];
  if (column === "last_seen") return (position) => isSo(figures[no[position] ?? -1] || Number.NaN, limit);
  return (position) =>
    (status[position] ?? FIRST_SILENT) < FIRST_SILENT && isSo(figures[no[position] ?? -1] ?? Number.NaN, limit);
}

/** True for nodes that have one of the texts in a column. */
function codeTest(index: IndexedNodes, column: CodedColumn, texts: readonly string[]): Test {
  const names = index.names(column);
  const codes = index.code(column);
  const wanted = texts.map((text) => names.find(text));
  const [only] = wanted;
  if (wanted.length === 1) return (position) => codes[position] === only;
  return (position) => wanted.includes(codes[position] ?? null);
}

function all(tests: readonly Test[]): Test {
  const [first, ...rest] = tests;
  if (!first) return () => true;
  if (rest.length === 0) return first;
  return (position) => tests.every((test) => test(position));
}
