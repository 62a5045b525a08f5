/** One line of two texts side by side. */
export interface DiffLine {
  kind: "same" | "added" | "removed";
  text: string;
}

/** More pairs of lines than this are not compared one by one: the page would stand still. */
const MOST_PAIRS = 1_000_000;
/** Lines that did not change are shown this far around those that did. */
const AROUND = 2;

/** For each pair of places how many lines both texts have in common from there on. */
function countCommon(before: readonly string[], after: readonly string[]): Uint32Array {
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  for (let left = before.length - 1; left >= 0; left--) {
    for (let right = after.length - 1; right >= 0; right--) {
      const at = left * width + right;
      const skipped = Math.max(common[at + width] ?? 0, common[at + 1] ?? 0);
      common[at] = before[left] === after[right] ? (common[at + width + 1] ?? 0) + 1 : skipped;
    }
  }
  return common;
}

function compareMiddle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: "removed", text });
  const added = (text: string): DiffLine => ({ kind: "added", text });
  if (before.length * after.length > MOST_PAIRS) return [...before.map(removed), ...after.map(added)];
  const common = countCommon(before, after);
  const width = after.length + 1;
  const lines: DiffLine[] = [];
  let [left, right] = [0, 0];
  while (left < before.length && right < after.length) {
    const [old = "", now = ""] = [before[left], after[right]];
    if (old === now) {
      lines.push({ kind: "same", text: old });
      left += 1;
      right += 1;
    } else if ((common[(left + 1) * width + right] ?? 0) >= (common[left * width + right + 1] ?? 0)) {
      lines.push(removed(old));
      left += 1;
    } else {
      lines.push(added(now));
      right += 1;
    }
  }
  return [...lines, ...before.slice(left).map(removed), ...after.slice(right).map(added)];
}

/** All lines of two texts: those of both, those that went and those that came, in their order. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const same = (text: string): DiffLine => ({ kind: "same", text });
  return [
    ...old.slice(0, start).map(same),
    ...compareMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map(same),
  ];
}

/** What changed with a few lines around it; null stands for lines that are left out. */
export function foldDiff(lines: readonly DiffLine[]): (DiffLine | null)[] {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ kind }) => kind !== "same"),
  );
  return lines.flatMap((line, index) => {
    if (isNear[index]) return line;
    return index === 0 || isNear[index - 1] ? null : [];
  });
}
