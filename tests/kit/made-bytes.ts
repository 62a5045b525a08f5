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

/** Many bytes at little cost; what is repeated fits in no chunk or piece a whole number of times. */
export function repeatedBytes(size: number): Uint8Array<ArrayBuffer> {
  const some = madeBytes(0, 65_521);
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += some.length) bytes.set(some.subarray(0, size - at), at);
  return bytes;
}
