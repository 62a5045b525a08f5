import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { HeatCell, HeatRow } from "../../../../../src/panel/fleet/fleet-overview/contract.ts";
import { percent } from "../../../../client/format.ts";
import { navigate } from "../../../../client/router.ts";
import { Glyph } from "../../../../kit/status.tsx";
import { statusLook } from "../../fleet/health.ts";
import { nodePath } from "../../fleet/node-row.tsx";
import { regionName } from "../verdict.ts";
import { HeatBlock } from "./heat-block.tsx";
import { blocksOf, cellAfterKey, cornerOf, type Grid, gridFor, placeAt } from "./layout.ts";

/** A node with its region. */
interface Spot extends HeatCell {
  region: string;
}

/** The cells of every region; one is pointed at, by the pointer or by the arrow keys. */
export function HeatPicture({ rows, label }: { rows: readonly HeatRow[]; label: string }) {
  const host = useRef<HTMLDivElement>(null);
  const width = useWidth(host);
  const at = useSignal<number | null>(null);
  const spots = useMemo(() => rows.flatMap(({ region, cells }) => cells.map((cell) => ({ ...cell, region }))), [rows]);
  const counts = useMemo(() => rows.map(({ cells }) => cells.length), [rows]);
  const grid = useMemo(() => gridFor(spots.length, width), [spots.length, width]);
  const blocks = useMemo(
    () =>
      blocksOf(counts, grid.columns).map((block) => ({
        ...block,
        cells: rows[block.region]?.cells.slice(block.from, block.from + block.count) ?? [],
      })),
    [rows, counts, grid],
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    const spot = at.value === null ? undefined : spots[at.value];
    const next = cellAfterKey(event.key, at.value ?? -1, counts, grid.columns);
    if (event.key === "Enter" && spot !== undefined) navigate(nodePath(spot.id));
    else if (event.key === "Escape") at.value = null;
    else if (next !== null) at.value = Math.max(0, next);
    else return;
    byPointer.current = false;
    event.preventDefault();
  };
  const byPointer = useRef(false);
  const before = useRef(spots);
  // Newer figures may move the cells: keys stay on their node, a pointer on its place.
  useLayoutEffect(() => {
    const spot = at.peek() === null ? undefined : before.current[at.peek() ?? 0];
    before.current = spots;
    if (spot === undefined || byPointer.current) return;
    const place = spots.findIndex(({ id }) => id === spot.id);
    at.value = place < 0 ? null : place;
  }, [spots]);
  const onPointerMove = (event: PointerEvent): void => {
    // The page moved below a resting pointer, which is no new choice.
    if (event.movementX === 0 && event.movementY === 0) return;
    byPointer.current = true;
    at.value = spotUnder(event, grid);
  };
  const onPointerLeave = (): void => {
    if (byPointer.current) at.value = null;
  };
  const onClick = (event: MouseEvent): void => {
    const before = at.value;
    const place = spotUnder(event, grid);
    const spot = place === null ? undefined : spots[place];
    if (spot === undefined) return;
    // A finger covers what it points at: its first touch shows the node, the second one opens it.
    const isTouch = event instanceof PointerEvent && event.pointerType === "touch";
    if (isTouch && before !== place) at.value = place;
    else navigate(nodePath(spot.id));
  };
  return (
    <div class="card heatcard">
      <Focus
        host={host}
        at={at}
        spots={spots}
        label={label}
        onKeyDown={onKeyDown}
        onPointerMove={onPointerMove}
        onPointerLeave={onPointerLeave}
        onClick={onClick}
      >
        {rows.map((row, region) => (
          <section key={row.region} class="heatregion" aria-hidden="true">
            <RegionHead row={row} />
            <div class="heatcells">
              {blocks
                .filter((block) => block.region === region)
                .map((block) => (
                  <HeatBlock key={block.from} cells={block.cells} grid={grid} start={block.start} />
                ))}
            </div>
          </section>
        ))}
        <Pointed at={at} spots={spots} grid={grid} host={host} label={label} />
      </Focus>
    </div>
  );
}

interface FocusProps {
  host: { current: HTMLDivElement | null };
  at: Signal<number | null>;
  spots: readonly Spot[];
  label: string;
  onKeyDown: (event: KeyboardEvent) => void;
  onPointerMove: (event: PointerEvent) => void;
  onPointerLeave: () => void;
  onClick: (event: MouseEvent) => void;
  children: ComponentChildren;
}

/** The one tab stop of the picture. It says which node is marked without drawing anything again. */
function Focus({ host, at, spots, label, children, ...events }: FocusProps) {
  const spot = at.value === null ? undefined : spots[at.value];
  return (
    <div
      ref={host}
      class="heat"
      role="slider"
      tabIndex={0}
      aria-label={`${label} of every node; arrow keys move, Enter opens`}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, spots.length - 1)}
      aria-valuenow={at.value ?? 0}
      aria-valuetext={spot === undefined ? "No node chosen" : spotText(spot, label)}
      onBlur={() => (at.value = null)}
      {...events}
    >
      {children}
    </div>
  );
}

function spotText(spot: Spot, label: string): string {
  const value = spot.value === null ? "no figure" : `${label.toLowerCase()} ${percent(Math.round(spot.value))}`;
  return `${spot.host}, ${statusLook(spot.status).word.toLowerCase()}, ${value}, ${regionName(spot.region)}`;
}

function RegionHead({ row }: { row: HeatRow }) {
  return (
    <header class="heathead">
      <b class="w6">{regionName(row.region)}</b>
      <span class="c3">{row.total.toLocaleString("en")}</span>
      {row.degraded > 0 && (
        <span>
          <Glyph state="warn" />
          {row.degraded.toLocaleString("en")}
        </span>
      )}
      {row.offline > 0 && (
        <span>
          <Glyph state="crit" />
          {row.offline.toLocaleString("en")}
        </span>
      )}
      <span class="push c3">{row.avg === null ? "–" : `${percent(Math.round(row.avg))} on average`}</span>
    </header>
  );
}

/** The frame around the cell that is pointed at, and what is known of its node. */
function Pointed({
  at,
  spots,
  grid,
  host,
  label,
}: {
  at: Signal<number | null>;
  spots: readonly Spot[];
  grid: Grid;
  host: { current: HTMLDivElement | null };
  label: string;
}) {
  const place = at.value;
  const spot = place === null ? undefined : spots[place];
  const corner = place === null ? null : cornerInside(host.current, place, grid);
  const ring = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // Only the keyboard may point at what is out of view.
    if (place !== null && host.current?.matches(":focus-visible")) ring.current?.scrollIntoView({ block: "nearest" });
  }, [place]);
  if (spot === undefined || corner === null) return null;
  const isLate = corner.x > (host.current?.clientWidth ?? 0) / 2;
  const look = statusLook(spot.status);
  return (
    <>
      <i
        ref={ring}
        class="heatring"
        style={{ left: `${corner.x}px`, top: `${corner.y}px`, width: `${grid.cell}px`, height: `${grid.cell}px` }}
      />
      <div
        class={`heattip ${isLate ? "late" : ""}`}
        style={{ left: `${corner.x + (isLate ? 0 : grid.cell)}px`, top: `${corner.y + grid.cell + 6}px` }}
      >
        <b class="w6">{spot.host}</b>
        <span class="row">
          <Glyph state={look.state} />
          {look.word}
        </span>
        <span class="c2">
          {label} {spot.value === null ? "unknown" : percent(Math.round(spot.value))}
        </span>
        <span class="c3">
          {regionName(spot.region)}
          {spot.tenant === null ? "" : `, ${spot.tenant}`}
        </span>
      </div>
    </>
  );
}

/** The place under a pointer; null beside the cells. */
function spotUnder(event: MouseEvent, grid: Grid): number | null {
  const canvas = event.target;
  if (!(canvas instanceof HTMLCanvasElement)) return null;
  const place = placeAt(event.offsetX, event.offsetY, Number(canvas.dataset["count"]), grid);
  return place === null ? null : Number(canvas.dataset["start"]) + place;
}

/** Where a cell stands inside the picture. */
function cornerInside(host: HTMLElement | null, place: number, grid: Grid): { x: number; y: number } | null {
  for (const canvas of host?.querySelectorAll<HTMLElement>(".heatblock") ?? []) {
    const start = Number(canvas.dataset["start"]);
    if (place < start || place >= start + Number(canvas.dataset["count"])) continue;
    const { x, y } = cornerOf(place - start, grid);
    return { x: canvas.offsetLeft + x, y: canvas.offsetTop + y };
  }
  return null;
}

function useWidth(host: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(1000);
  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return;
    const measure = (): void => setWidth(element.clientWidth);
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    return () => sizes.disconnect();
  }, []);
  return width;
}
