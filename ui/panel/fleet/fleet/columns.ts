import type { Instance, SortName } from "../../../../src/panel/fleet/fleet/contract.ts";
import type { ColumnName } from "../../../../src/panel/fleet/fleet/views-contract.ts";
import { percent } from "../../../client/format.ts";

/** A column of the list that the server sorts by. */
export interface SortColumn {
  id: SortName;
  title: string;
  /** The first press sorts descending: high figures are what one looks for. */
  falling?: boolean;
}

/** Everything the list can be sorted by, as phones show it. */
export const sortColumns: SortColumn[] = [
  { id: "host", title: "Host" },
  { id: "status", title: "Status" },
  { id: "region", title: "Region" },
  { id: "tenant", title: "Client" },
  { id: "version", title: "Version" },
  { id: "cpu", title: "Processor", falling: true },
  { id: "mem", title: "Memory", falling: true },
  { id: "disk", title: "Disk", falling: true },
  { id: "uptime", title: "Up for", falling: true },
  { id: "last_seen", title: "Seen", falling: true },
  { id: "ip", title: "Address" },
];

/** A column that can be shown or not. */
export interface ListColumn {
  id: ColumnName;
  title: string;
  /** What the server sorts by; none for a column that it does not sort by. */
  sorts?: SortName;
  /** Pixels, and those on a phone, where rows have two lines. */
  width: number;
  narrow: number;
  /** Where there is no room for all, those with the lowest number go. */
  weight: number;
}

/** Every column besides the name, in the order of the table. */
export const listColumns: readonly ListColumn[] = [
  { id: "status", title: "Status", sorts: "status", width: 160, narrow: 104, weight: 12 },
  { id: "region", title: "Region", sorts: "region", width: 108, narrow: 96, weight: 8 },
  { id: "client", title: "Client", sorts: "tenant", width: 116, narrow: 96, weight: 7 },
  { id: "version", title: "Version", sorts: "version", width: 92, narrow: 84, weight: 6 },
  { id: "ip", title: "Address", sorts: "ip", width: 128, narrow: 112, weight: 3 },
  { id: "tags", title: "Tags", width: 140, narrow: 96, weight: 2 },
  { id: "cpu", title: "Processor", sorts: "cpu", width: 98, narrow: 56, weight: 11 },
  { id: "mem", title: "Memory", sorts: "mem", width: 98, narrow: 56, weight: 9 },
  { id: "disk", title: "Disk", sorts: "disk", width: 98, narrow: 56, weight: 5 },
  { id: "uptime", title: "Up for", sorts: "uptime", width: 84, narrow: 72, weight: 4 },
  { id: "apps", title: "Apps", width: 58, narrow: 48, weight: 1 },
  { id: "seen", title: "Seen", sorts: "last_seen", width: 64, narrow: 56, weight: 10 },
];

/** What is shown to whoever has chosen nothing. */
export const usualColumns: readonly ColumnName[] = [
  "status",
  "region",
  "client",
  "version",
  "cpu",
  "mem",
  "disk",
  "apps",
  "seen",
];

/** Room for the box, the menu, and a name that can be read. */
const besides = { width: 40 + 44 + 120, narrow: 40 + 44 + 110 };
/** Below this a row has two lines. */
export const phoneWidth = 640;

/** How telling a column is: the state most, then what somebody asked for that is not usual. */
function weightOf({ id, weight }: ListColumn): number {
  if (id === "status") return 100;
  return usualColumns.includes(id) ? weight : 50 + weight;
}

/** The wanted columns that a list of this width has room for, and those it has not. */
export function fitColumns(
  wanted: readonly ColumnName[],
  room: { width: number; isPhone: boolean },
): { shown: ListColumn[]; left: ListColumn[] } {
  const key = room.isPhone ? "narrow" : "width";
  const columns = listColumns.filter(({ id }) => wanted.includes(id));
  let free = room.width - besides[key];
  const fitting = new Set<ColumnName>();
  for (const column of columns.toSorted((a, b) => weightOf(b) - weightOf(a))) {
    free -= column[key];
    if (free < 0) break;
    fitting.add(column.id);
  }
  return { shown: columns.filter(({ id }) => fitting.has(id)), left: columns.filter(({ id }) => !fitting.has(id)) };
}

/** How the list is sorted. */
export interface Sort {
  by: SortName;
  falling: boolean;
}

/** Reads `host` or `-cpu`; anything else is by host. */
export function sortOf(text: string | null): Sort {
  const falling = text?.startsWith("-") === true;
  const column = sortColumns.find(({ id }) => id === (falling ? text?.slice(1) : text));
  return column === undefined ? { by: "host", falling: false } : { by: column.id, falling };
}

/** The sort as the API and the address write it. */
export function sortText({ by, falling }: Sort): string {
  return `${falling ? "-" : ""}${by}`;
}

/** What the press on the head of a column leads to. */
export function nextSort(now: Sort, column: SortColumn): Sort {
  if (now.by === column.id) return { by: now.by, falling: !now.falling };
  return { by: column.id, falling: column.falling === true };
}

/** How long ago in the narrowest form: "now", "94 s", "29 min", "3 h", "12 d"; a dash for never. */
export function seenText(last: string | null, now: number): string {
  if (last === null) return "–";
  const seconds = Math.max(0, Math.round((now - Date.parse(last)) / 1000));
  if (seconds < 60) return "now";
  if (seconds < 120) return `${seconds}\u00a0s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)}\u00a0min`;
  if (seconds < 2 * 86_400) return `${Math.floor(seconds / 3600)}\u00a0h`;
  return `${Math.floor(seconds / 86_400)}\u00a0d`;
}

/** Silence up to this is usual, milliseconds. */
const lateMs = 90_000;

/** How long ago a node reported whose figures are of the past, "29 min"; null for one that reports as it should. */
export function silentFor(row: Pick<Instance, "health" | "last_heartbeat">, now: number): string | null {
  if (row.last_heartbeat === null) return null;
  const isSilent = row.health === "offline" || now - Date.parse(row.last_heartbeat) > lateMs;
  return isSilent ? seenText(row.last_heartbeat, now) : null;
}

/** A figure of a node that counts: an offline node has none, its last one is no news. */
export function figureOf(value: number | null, row: Pick<Instance, "health">): number | null {
  return row.health === "offline" ? null : value;
}

/** The figure in the list. */
export function figureText(value: number | null): string {
  return value === null ? "–" : percent(Math.round(value));
}
