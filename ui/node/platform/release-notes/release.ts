/** Whether one release (`1.10.0`) comes after another; every release comes after null. */
export function isNewer(version: string, than: string | null): boolean {
  if (than === null) return true;
  const [left, right] = [numbers(version), numbers(than)];
  const at = left.findIndex((number, index) => number !== right[index]);
  return at >= 0 && (left[at] ?? 0) > (right[at] ?? 0);
}

const numbers = (version: string): number[] =>
  [0, 1, 2].map((index) => Number.parseInt(version.split(".")[index] ?? "", 10) || 0);
