/** A mark by which nodes are told apart; of several values any, of tags all. The names are those of the API's query. */
export type FilterField = "status" | "region" | "version" | "tenant" | "group" | "tag";

/** What a list of nodes is filtered by. */
export interface FleetFilter extends Record<FilterField, readonly string[]> {
  /** What is left out, as the API takes it: a field or `q`, a colon, and the value. */
  not: readonly string[];
  /** Comparisons as the API takes them, such as `cpu>80`. */
  where: readonly string[];
  /** Part of a host name, address, tag or place. */
  q: string;
}

export const noFilter: FleetFilter = {
  status: [],
  region: [],
  version: [],
  tenant: [],
  group: [],
  tag: [],
  not: [],
  where: [],
  q: "",
};

/** The words of the query box and the field each one sets. */
export const filterWords: Readonly<Record<string, FilterField>> = {
  status: "status",
  region: "region",
  version: "version",
  client: "tenant",
  group: "group",
  tag: "tag",
};

/** What can be compared, by its word; times are seconds in the API and may be minutes, hours and days in words. */
export const figureWords: Readonly<Record<string, { meaning: string; isTime: boolean; example: string }>> = {
  cpu: { meaning: "processor, in percent", isTime: false, example: "cpu>80" },
  mem: { meaning: "memory, in percent", isTime: false, example: "mem>80" },
  disk: { meaning: "disk, in percent", isTime: false, example: "disk<10" },
  apps: { meaning: "how many apps", isTime: false, example: "apps>0" },
  uptime: { meaning: "how long it is up", isTime: true, example: "uptime<1h" },
  seen: { meaning: "how long ago it reported", isTime: true, example: "seen>10m" },
};

/** States that the list can be narrowed to. */
export const statuses = ["online", "degraded", "offline", "pending"] as const;

/** Whether a text is one of the four states. */
export function isStatus(value: string): value is (typeof statuses)[number] {
  return statuses.some((status) => status === value);
}

const fields = Object.values(filterWords);
const lists = [...fields, "not", "where"] as const;

/** Whether the API takes a text as something to leave out. */
function isExclusion(text: string): boolean {
  const [, field = "", value = ""] = /^(\w+):(.+)$/s.exec(text) ?? [];
  return field === "status" ? isStatus(value) : value !== "" && (field === "q" || fields.some((one) => one === field));
}

function isComparison(text: string): boolean {
  const [, word = ""] = /^([a-z]+)(?:<=|>=|<|>)\d{1,12}(?:\.\d{1,6})?$/.exec(text) ?? [];
  return Object.hasOwn(figureWords, word);
}

/** The filter that an address asks for; what it does not know stays out. */
export function filterOf(query: URLSearchParams): FleetFilter {
  const all = (name: string): string[] => [
    ...new Set(
      query
        .getAll(name)
        .map((one) => one.trim())
        .filter(Boolean),
    ),
  ];
  return {
    status: all("status").filter(isStatus),
    region: all("region"),
    version: all("version"),
    tenant: all("tenant"),
    group: all("group"),
    tag: all("tag"),
    not: all("not").filter(isExclusion),
    where: all("where").filter(isComparison),
    q: query.get("q")?.trim() ?? "",
  };
}

/** The filter as parameters, of the address and of the API; those that ask for nothing are left out. */
export function toParameters({ q, ...rest }: FleetFilter): Record<string, readonly string[]> {
  const set = lists.flatMap((name) => (rest[name].length === 0 ? [] : [[name, rest[name]]]));
  return { ...Object.fromEntries(set), ...(q === "" ? {} : { q: [q] }) };
}

/** The filter as after `?` in an address. */
export function toSearch(filter: FleetFilter): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, values] of Object.entries(toParameters(filter)))
    for (const value of values) search.append(name, value);
  return search;
}

/** Whether two filters ask for the same. */
export function sameFilter(one: FleetFilter, other: FleetFilter): boolean {
  return String(toSearch(one)) === String(toSearch(other));
}

/** Whether anything is narrowed at all. */
export function isFiltered(filter: FleetFilter): boolean {
  return !sameFilter(filter, noFilter);
}

/** Something that is set: a value of a field, something left out, or a comparison. */
export interface FilterToken {
  list: (typeof lists)[number];
  /** As it stands in the list. */
  item: string;
  /** The field it is about; null for a comparison, and `q` for text that is left out. */
  field: FilterField | "q" | null;
  /** The word as one types it, with its minus and colon; a comparison as a whole has none. */
  word: string;
  value: string;
}

const wordOf = (field: string): string => Object.keys(filterWords).find((word) => filterWords[word] === field) ?? "";

/** What the filter sets besides the search text, in the order of the words. */
export function tokensOf(filter: FleetFilter): FilterToken[] {
  return [
    ...fields.flatMap((list) =>
      filter[list].map((item) => ({ list, item, field: list, word: `${wordOf(list)}:`, value: item })),
    ),
    ...filter.not.map((item): FilterToken => {
      const value = item.slice(item.indexOf(":") + 1);
      const field = fields.find((one) => item.startsWith(`${one}:`)) ?? "q";
      return { list: "not", item, field, word: field === "q" ? "-" : `-${wordOf(field)}:`, value };
    }),
    ...filter.where.map(
      (item): FilterToken => ({ list: "where", item, field: null, word: "", value: writeTime(item) }),
    ),
  ];
}

/** The filter without one of its tokens. */
export function withoutToken(filter: FleetFilter, { list, item }: Pick<FilterToken, "list" | "item">): FleetFilter {
  return { ...filter, [list]: filter[list].filter((one) => one !== item) };
}

/** The filter with a value of a field when it has it not, and without it when it has. */
export function toggleValue(filter: FleetFilter, field: FilterField, value: string): FleetFilter {
  if (filter[field].includes(value)) return withoutToken(filter, { list: field, item: value });
  const opposite = withoutToken(filter, { list: "not", item: `${field}:${value}` });
  return { ...opposite, [field]: [...filter[field], value] };
}

/** The filter with all that another one sets; what one asks for and the other leaves out is as the newer one says. */
export function addFilter(filter: FleetFilter, more: FleetFilter): FleetFilter {
  const union = (one: readonly string[], other: readonly string[]): string[] => [...new Set([...one, ...other])];
  const asked = new Set(fields.flatMap((field) => more[field].map((value) => `${field}:${value}`)));
  const added = {
    ...more,
    not: union(
      filter.not.filter((item) => !asked.has(item)),
      more.not,
    ),
  };
  for (const field of fields)
    added[field] = union(
      filter[field].filter((value) => !more.not.includes(`${field}:${value}`)),
      more[field],
    );
  return { ...added, where: union(filter.where, more.where) };
}

const units = { d: 86_400, h: 3_600, m: 60 } as const;

/** A comparison of a time in the largest unit that leaves no rest: `seen>600` is `seen>10m`. */
function writeTime(comparison: string): string {
  const [, word = "", sign = "", number = ""] = /^([a-z]+)([<>]=?)(.+)$/.exec(comparison) ?? [];
  const seconds = Number(number);
  if (figureWords[word]?.isTime !== true || seconds === 0) return comparison;
  const unit = (["d", "h", "m"] as const).find((one) => seconds % units[one] === 0);
  return unit === undefined ? comparison : `${word}${sign}${seconds / units[unit]}${unit}`;
}

/** Seconds of `10m`, or the number as it is; null for what is no number of that kind. */
export function readNumber(text: string, isTime: boolean): number | null {
  const [, number, unit] = /^(\d{1,9}(?:\.\d{1,6})?)(%|[smhd])?$/.exec(text.toLowerCase()) ?? [];
  if (number === undefined || (unit !== undefined && (unit === "%") === isTime)) return null;
  const scale = unit === "m" || unit === "h" || unit === "d" ? units[unit] : 1;
  return Number((Number(number) * scale).toFixed(6));
}
