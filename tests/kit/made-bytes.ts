/** Bytes that are the same for the same seed. */
export function madeBytes(seed: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let state = seed + 1;
  for (let index = 0; index < size; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
}
