/** The rows of a long list that are drawn, and the empty room above and below them. */
export interface RowWindow {
  /** First drawn row. */
  first: number;
  /** The row after the last drawn one. */
  end: number;
  /** Pixels above and below. */
  above: number;
  below: number;
}

export interface Scrolled {
  /** Pixels of the list above the upper edge of what can be seen; negative when it begins lower. */
  top: number;
  /** Pixels that can be seen. */
  height: number;
  rowHeight: number;
  total: number;
}

/** Rows drawn beyond both edges, and the step in which the window moves: shorter scrolling renders nothing. */
const spare = 8;
const step = 4;

/** Which rows to draw. The number of them stays the same within the list, however long it is. */
export function windowOf({ top, height, rowHeight, total }: Scrolled): RowWindow {
  const count = Math.ceil(height / rowHeight / step) * step + 2 * spare + step;
  const wanted = Math.floor(top / rowHeight / step) * step - spare;
  const first = Math.max(0, Math.min(wanted, Math.max(0, total - count)));
  const end = Math.max(first, Math.min(total, first + count));
  return { first, end, above: first * rowHeight, below: (total - end) * rowHeight };
}

/** Pixels to scroll by so that a row is wholly seen below a `head` that covers the upper edge; 0 when it is. */
export function reveal(row: number, { top, height, rowHeight }: Scrolled, head: number): number {
  const [upper, lower] = [row * rowHeight - top, (row + 1) * rowHeight - top];
  if (upper < head) return upper - head;
  return lower > height ? lower - height : 0;
}

/** Numbers of the pages, from 0, that hold the rows from `first` to before `end`. */
export function pagesWith(first: number, end: number, size: number): number[] {
  if (end <= first) return [];
  const from = Math.floor(first / size);
  const to = Math.floor((end - 1) / size);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
