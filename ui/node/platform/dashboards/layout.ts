import type { Widget } from "../../../../src/node/platform/dashboards/contract.ts";

/** Columns of the grid. */
export const columns = 12;
/** Height of one row, px. */
export const rowHeight = 44;

/** What can stand on the home page; the id is what the server keeps. */
export type WidgetId = "processor" | "memory" | "network" | "storage" | "apps" | "server";
export const titles: Record<WidgetId, string> = {
  processor: "Processor",
  memory: "Memory",
  network: "Network",
  storage: "Storage",
  apps: "Apps",
  server: "This server",
};
const smallest: Record<WidgetId, { w: number; h: number }> = {
  processor: { w: 2, h: 3 },
  memory: { w: 2, h: 3 },
  network: { w: 3, h: 3 },
  storage: { w: 2, h: 3 },
  apps: { w: 4, h: 4 },
  server: { w: 3, h: 6 },
};

/** The arrangement before anybody changed it. */
export const firstLayout: Widget[] = [
  { id: "processor", x: 0, y: 0, w: 3, h: 3 },
  { id: "memory", x: 3, y: 0, w: 3, h: 3 },
  { id: "network", x: 6, y: 0, w: 3, h: 3 },
  { id: "storage", x: 9, y: 0, w: 3, h: 3 },
  { id: "apps", x: 0, y: 3, w: 8, h: 7 },
  { id: "server", x: 8, y: 3, w: 4, h: 7 },
];

/** True for widgets that this version of the dashboard has. */
export function isWidgetId(id: string): id is WidgetId {
  return Object.hasOwn(titles, id);
}

/** A saved layout as this page can show it: unknown widgets left out, all inside the grid, none on another. */
export function readLayout(saved: Widget[]): Widget[] {
  const known = saved.filter((widget) => isWidgetId(widget.id)).map(fit);
  return settle(known.length === 0 ? firstLayout : known, null);
}

function fit(widget: Widget): Widget {
  const least = isWidgetId(widget.id) ? smallest[widget.id] : { w: 1, h: 1 };
  const w = Math.min(columns, Math.max(least.w, widget.w));
  const h = Math.min(20, Math.max(least.h, widget.h));
  return { id: widget.id, x: Math.min(columns - w, Math.max(0, widget.x)), y: Math.max(0, widget.y), w, h };
}

function collide(a: Widget, b: Widget): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/**
 * Takes overlaps away, downwards, and then lets all widgets rise as far as nothing is above them. At the same height the one with the
 * id `first` keeps its place.
 */
export function settle(layout: Widget[], first: string | null): Widget[] {
  const order = [...layout].sort((a, b) => a.y - b.y || Number(b.id === first) - Number(a.id === first) || a.x - b.x);
  const apart = placeAll(order, (y, isFree) => {
    let at = y;
    while (!isFree(at)) at += 1;
    return at;
  });
  const risen = placeAll(
    apart.sort((a, b) => a.y - b.y || a.x - b.x),
    (y, isFree) => {
      let at = y;
      while (at > 0 && isFree(at - 1)) at -= 1;
      return at;
    },
  );
  const ids = layout.map((widget) => widget.id);
  return risen.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

/** Puts the widgets down one after the other; `choose` finds the row of each among those that lie already. */
function placeAll(order: Widget[], choose: (y: number, isFree: (y: number) => boolean) => number): Widget[] {
  const placed: Widget[] = [];
  for (const widget of order) {
    const isFree = (y: number): boolean => !placed.some((other) => collide({ ...widget, y }, other));
    placed.push({ ...widget, y: choose(widget.y, isFree) });
  }
  return placed;
}

/** Moves or resizes one widget by cells; the others make room. */
export function change(layout: Widget[], id: string, by: { x?: number; y?: number; w?: number; h?: number }): Widget[] {
  const next = layout.map((widget) =>
    widget.id === id
      ? fit({
          id,
          x: widget.x + (by.x ?? 0),
          y: widget.y + (by.y ?? 0),
          w: widget.w + (by.w ?? 0),
          h: widget.h + (by.h ?? 0),
        })
      : widget,
  );
  return settle(next, id);
}

/** One row further down is not enough when a neighbour is taller: steps over the whole of what is in the way. */
export function step(layout: Widget[], id: string, direction: "up" | "down"): Widget[] {
  const me = layout.find((widget) => widget.id === id);
  if (me === undefined) return layout;
  for (let count = 1; count <= 24; count += 1) {
    const next = change(layout, id, { y: direction === "up" ? -count : count });
    if (next.find((widget) => widget.id === id)?.y !== me.y) return next;
  }
  return layout;
}

/** Both changes together when they touch different widgets; null when one widget was changed in both. */
export function merge(base: Widget[], mine: Widget[], theirs: Widget[]): Widget[] | null {
  const same = (a: Widget | undefined, b: Widget | undefined): boolean =>
    a === b || (a?.x === b?.x && a?.y === b?.y && a?.w === b?.w && a?.h === b?.h);
  const find = (list: Widget[], id: string): Widget | undefined => list.find((widget) => widget.id === id);
  const ids = [...new Set([...base, ...mine, ...theirs].map((widget) => widget.id))];
  const merged: Widget[] = [];
  for (const id of ids) {
    const [was, here, there] = [find(base, id), find(mine, id), find(theirs, id)];
    const [changedHere, changedThere] = [!same(was, here), !same(was, there)];
    if (changedHere && changedThere && !same(here, there)) return null;
    const kept = changedHere ? here : there;
    if (kept !== undefined) merged.push(kept);
  }
  return settle(merged, null);
}
