/** Below this many the rest is sorted plainly. */
const FEW = 24;

/**
 * Puts the positions that belong at `from` to `to` (exclusive) of the sorted list there, in order, and leaves the others
 * anywhere on their sides; far less work than sorting all for one page. Sorted by `keys[position]`, equal ones by
 * `ties[position]`; keys may be infinite, but not NaN.
 */
export function sortRange(
  positions: Uint32Array,
  keys: Float64Array,
  ties: Float64Array,
  from: number,
  to: number,
): void {
  const compare = (a: number, b: number): number => {
    const first = keys[a] ?? 0;
    const second = keys[b] ?? 0;
    if (first !== second) return first < second ? -1 : 1;
    return (ties[a] ?? 0) - (ties[b] ?? 0);
  };
  // Each part is [start, end) and holds exactly what belongs there.
  const parts: [number, number][] = [[0, positions.length]];
  for (let part = parts.pop(); part; part = parts.pop()) {
    const [start, end] = part;
    if (end <= from || start >= to || end - start < 2) continue;
    if (end - start <= FEW || (start >= from && end <= to)) {
      positions.subarray(start, end).sort(compare);
      continue;
    }
    const middle = divide(positions, start, end, compare);
    parts.push([start, middle + 1], [middle + 1, end]);
  }
}

/** Hoare's partition: afterwards all up to the answered index are at most as large as all beyond it. */
function divide(positions: Uint32Array, start: number, end: number, compare: (a: number, b: number) => number): number {
  const pivot = medianOf(positions, start, end, compare);
  let low = start - 1;
  let high = end;
  while (true) {
    do low++;
    while (compare(positions[low] ?? 0, pivot) < 0);
    do high--;
    while (compare(positions[high] ?? 0, pivot) > 0);
    if (low >= high) return high;
    const swapped = positions[low] ?? 0;
    positions[low] = positions[high] ?? 0;
    positions[high] = swapped;
  }
}

/** The middle one of three that lie apart; never the largest, so that both parts hold something. */
function medianOf(
  positions: Uint32Array,
  start: number,
  end: number,
  compare: (a: number, b: number) => number,
): number {
  const some = [start, start + ((end - start) >> 1), end - 1].map((index) => positions[index] ?? 0);
  return some.sort(compare)[1] ?? 0;
}
