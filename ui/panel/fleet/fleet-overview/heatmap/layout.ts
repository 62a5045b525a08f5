/** A stretch of cells of one region that is drawn on one canvas. */
export interface Block {
  /** Place of its region in the list. */
  region: number;
  /** Place of its first cell among the cells of the region. */
  from: number;
  count: number;
  /** Place of its first cell among all cells. */
  start: number;
}

/** The size of cells, in CSS pixels. */
export interface Grid {
  cell: number;
  gap: number;
  columns: number;
}

/** A canvas larger than this many cells would need more memory than a browser gives. */
export const blockLimit = 6000;

const sizes = [
  { most: 150, cell: 30, gap: 3 },
  { most: 700, cell: 20, gap: 2 },
  { most: 2500, cell: 14, gap: 2 },
  { most: 6000, cell: 10, gap: 1 },
  { most: Number.POSITIVE_INFINITY, cell: 8, gap: 1 },
];

/** Cells as large as their number allows, as many in a row as the width takes. */
export function gridFor(total: number, width: number): Grid {
  const { cell, gap } = sizes.find(({ most }) => total <= most) ?? { cell: 8, gap: 1 };
  return { cell, gap, columns: Math.max(1, Math.floor((width + gap) / (cell + gap))) };
}

/** Cuts the regions into blocks that begin with a full row, so that they join without a seam. */
export function blocksOf(counts: readonly number[], columns: number): Block[] {
  const most = Math.max(1, Math.floor(blockLimit / columns)) * columns;
  const blocks: Block[] = [];
  let start = 0;
  for (const [region, total] of counts.entries()) {
    for (let from = 0; from < total; from += most) {
      const count = Math.min(most, total - from);
      blocks.push({ region, from, count, start });
      start += count;
    }
  }
  return blocks;
}

/** Width of a full row in CSS pixels. */
export function widthOf({ cell, gap, columns }: Grid): number {
  return columns * (cell + gap) - gap;
}

/** Height of so many cells in CSS pixels. */
export function heightOf(count: number, { cell, gap, columns }: Grid): number {
  const rows = Math.ceil(count / columns);
  return rows === 0 ? 0 : rows * (cell + gap) - gap;
}

/** Left upper corner of the cell at a place of a block. */
export function cornerOf(place: number, { cell, gap, columns }: Grid): { x: number; y: number } {
  return { x: (place % columns) * (cell + gap), y: Math.floor(place / columns) * (cell + gap) };
}

/** The place of a block at a point, gaps included; null beside the cells. */
export function placeAt(x: number, y: number, count: number, { cell, gap, columns }: Grid): number | null {
  const column = Math.floor(x / (cell + gap));
  const row = Math.floor(y / (cell + gap));
  if (column < 0 || row < 0 || column >= columns) return null;
  const place = row * columns + column;
  return place < count ? place : null;
}

/** Where a key leads from a cell, over the seams of regions: up and down keep the column as far as the next row goes. */
export function cellAfterKey(key: string, at: number, counts: readonly number[], columns: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  if (key === "Home") return 0;
  if (key === "End") return total - 1;
  if (key === "ArrowLeft") return Math.max(0, at - 1);
  if (key === "ArrowRight") return Math.min(total - 1, at + 1);
  if (key !== "ArrowUp" && key !== "ArrowDown") return null;
  const rows = rowsOf(counts, columns);
  const row = rows.findIndex(({ start, count }) => at >= start && at < start + count);
  const target = rows[row + (key === "ArrowDown" ? 1 : -1)];
  const here = rows[row];
  if (here === undefined || target === undefined) return at;
  return target.start + Math.min(at - here.start, target.count - 1);
}

function rowsOf(counts: readonly number[], columns: number): { start: number; count: number }[] {
  const rows: { start: number; count: number }[] = [];
  let start = 0;
  for (const total of counts) {
    for (let from = 0; from < total; from += columns)
      rows.push({ start: start + from, count: Math.min(columns, total - from) });
    start += total;
  }
  return rows;
}

/** Steps of the colours, and the percentage at which each begins; the last is where a node counts as degraded. */
export const steps = [0, 20, 40, 60, 75, 90] as const;

/** The step of a value in percent; -1 when it is not known. */
export function stepOf(value: number | null): number {
  if (value === null || Number.isNaN(value)) return -1;
  return steps.findLastIndex((from) => value >= from);
}
