import type { Instance, SortName } from "../../../../src/panel/features/fleet/contract.ts";
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

/** A figure of a node that counts: an offline node has none, its last one is no news. */
export function figureOf(value: number | null, row: Pick<Instance, "health">): number | null {
  return row.health === "offline" ? null : value;
}

/** The figure in the list. */
export function figureText(value: number | null): string {
  return value === null ? "–" : percent(Math.round(value));
}
