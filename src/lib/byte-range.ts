/** Bytes of a whole by their places, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * The bytes of `size` that a Range header asks for. Null for all of them, which is what everything but one plain range means;
 * `outside` where none of the bytes is there.
 */
export function readByteRange(text: string | null, size: number): ByteRange | null | "outside" {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(text?.trim() ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return null;
  if (from === "") {
    if (Number(to) === 0 || size === 0) return "outside";
    return { start: Math.max(0, size - Number(to)), end: size - 1 };
  }
  if (to !== "" && Number(to) < Number(from)) return null;
  if (Number(from) >= size) return "outside";
  return { start: Number(from), end: to === "" ? size - 1 : Math.min(Number(to), size - 1) };
}
