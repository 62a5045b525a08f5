import type { Heatmap } from "../../../../src/panel/fleet/fleet-overview/contract.ts";
import type { DotState, SkyRing } from "./sky-layout.ts";

/** A node that a dot stands for. */
export interface NamedDot {
  x: number;
  y: number;
  state: DotState;
  id: string;
  host: string;
}

type Rows = Heatmap["rows"];

/** Where the list shows what a ring's dots of one state stand for; a ring of several regions has no such list of its own. */
export function listOf(region: string, state: DotState, isOneRegion: boolean): string {
  const parameters = new URLSearchParams(isOneRegion ? { region } : {});
  const statuses = { ok: ["online"], warn: ["degraded"], crit: ["offline", "pending"] }[state];
  for (const status of statuses) parameters.append("status", status);
  return `/fleet?${parameters}`;
}

/** Gives each dot of a ring its node; dots for which there is none at this moment are left out. */
export function nameDots(ring: SkyRing, rows: Rows): NamedDot[] {
  const cells = rows.find(({ region }) => region === ring.region)?.cells ?? [];
  const waiting = new Map<DotState, { id: string; host: string }[]>();
  for (const { id, host, status } of cells) {
    const state = status === "online" ? "ok" : status === "degraded" ? "warn" : "crit";
    waiting.set(state, [...(waiting.get(state) ?? []), { id, host }]);
  }
  return ring.dots.flatMap(({ x, y, state }) => {
    const node = waiting.get(state)?.shift();
    return node === undefined ? [] : [{ x, y, state, ...node }];
  });
}
