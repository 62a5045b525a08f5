import { colourOf } from "../../../../kit/draw.ts";
import { cornerOf, type Grid, stepOf, steps, widthOf } from "./layout.ts";

/** What the picture needs to know of a node. */
export interface Cell {
  status: string;
  /** Percent; null while unknown and for a node that is offline. */
  value: number | null;
}

/**
 * Paints cells. The value is a tone, from dark to light or the other way, which nobody confuses; the state is a mark that needs no colour:
 * a corner cut off for degraded, a cross in a frame for offline, a frame alone for a node that never came.
 */
export function paintCells(canvas: HTMLCanvasElement, cells: readonly Cell[], grid: Grid, height: number): void {
  const ratio = devicePixelRatio;
  const width = widthOf(grid);
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const pen = canvas.getContext("2d");
  if (pen === null) return;
  pen.scale(ratio, ratio);
  paintTones(pen, canvas, cells, grid);
  paintMarks(pen, canvas, cells, grid);
}

const isThere = ({ status }: Cell): boolean => status === "online" || status === "degraded";

/** Draws all cells of one tone together, because changing the colour is what takes time. */
function paintTones(
  pen: CanvasRenderingContext2D,
  canvas: HTMLCanvasElement,
  cells: readonly Cell[],
  grid: Grid,
): void {
  const byTone: number[][] = Array.from({ length: steps.length + 1 }, () => []);
  for (const [place, cell] of cells.entries()) if (isThere(cell)) byTone[stepOf(cell.value) + 1]?.push(place);
  for (const [tone, places] of byTone.entries()) {
    pen.fillStyle = colourOf(canvas, tone === 0 ? "--heat-none" : `--heat-${tone - 1}`);
    for (const place of places) {
      const { x, y } = cornerOf(place, grid);
      pen.fillRect(x, y, grid.cell, grid.cell);
    }
  }
}

function paintMarks(
  pen: CanvasRenderingContext2D,
  canvas: HTMLCanvasElement,
  cells: readonly Cell[],
  grid: Grid,
): void {
  const frames = { offline: new Path2D(), pending: new Path2D() };
  const corners = new Path2D();
  for (const [place, { status }] of cells.entries()) {
    const { x, y } = cornerOf(place, grid);
    if (status === "degraded") cut(corners, x, y, grid.cell);
    else if (status === "offline") cross(frames.offline, x, y, grid.cell);
    else if (status !== "online") frames.pending.rect(x + 0.5, y + 0.5, grid.cell - 1, grid.cell - 1);
  }
  pen.fillStyle = colourOf(canvas, "--s1");
  pen.fill(corners);
  pen.strokeStyle = colourOf(canvas, "--warn");
  pen.lineWidth = Math.max(1, grid.cell / 12);
  pen.stroke(corners);
  pen.strokeStyle = colourOf(canvas, "--crit");
  pen.lineWidth = grid.cell < 12 ? 1 : 1.5;
  pen.stroke(frames.offline);
  pen.strokeStyle = colourOf(canvas, "--line2");
  pen.lineWidth = 1;
  pen.stroke(frames.pending);
}

/** The right upper corner, as large as can be seen in the smallest cell. */
function cut(path: Path2D, x: number, y: number, size: number): void {
  const side = Math.max(4.5, size * 0.46);
  path.moveTo(x + size - side, y);
  path.lineTo(x + size, y);
  path.lineTo(x + size, y + side);
  path.closePath();
}

function cross(path: Path2D, x: number, y: number, size: number): void {
  const inset = size < 12 ? 2 : size * 0.28;
  path.rect(x + 0.75, y + 0.75, size - 1.5, size - 1.5);
  path.moveTo(x + inset, y + inset);
  path.lineTo(x + size - inset, y + size - inset);
  path.moveTo(x + size - inset, y + inset);
  path.lineTo(x + inset, y + size - inset);
}
