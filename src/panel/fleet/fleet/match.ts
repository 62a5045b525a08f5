import type { TenantFleet } from "../../agents/live/index.ts";
import type { InstancesQuery, Status } from "./contract.ts";
import type { CodedColumn, NodeIndex } from "./node-index.ts";

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
export function scopeOf(fleet: TenantFleet, index: NodeIndex, filter: Filter, status: Uint8Array): Test {
  const { q = "", groupIds, tenant, tag = [], not = {}, where = [] } = filter;
  const tests: Test[] = [];
  if (tenant) tests.push(codeTest(index, "client", tenant.map(clientName)));
  if (groupIds) tests.push(codeTest(index, "group", groupIds));
  for (const one of tag) tests.push(tagTest(index, one));
  if (q.trim() !== "") tests.push(textTest(index, q.trim()));
  if (not.tenant) tests.push(isNot(codeTest(index, "client", not.tenant.map(clientName))));
  if (not.groupIds) tests.push(isNot(codeTest(index, "group", not.groupIds)));
  for (const one of not.tag ?? []) tests.push(isNot(tagTest(index, one)));
  for (const one of not.q ?? []) tests.push(isNot(textTest(index, one.trim())));
  for (const comparison of where) tests.push(comparisonTest(fleet, index, status, comparison));
  return all(tests);
}

/** True where the facets and `ids` let a node through. */
export function wantedOf(
  index: NodeIndex,
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
function textTest(index: NodeIndex, wanted: string): Test {
  const { text } = index;
  const part = wanted.toLowerCase();
  const exact = index.positionOf(wanted);
  return (position) => position === exact || (text[position]?.includes(part) ?? false);
}

/** True where a node has a tag, in whatever case of letters. */
function tagTest({ facts }: NodeIndex, wanted: string): Test {
  const name = wanted.toLowerCase();
  return (position) => facts[position]?.tags.some((tag) => tag.toLowerCase() === name) ?? false;
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
  index: NodeIndex,
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
function codeTest(index: NodeIndex, column: CodedColumn, texts: readonly string[]): Test {
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
