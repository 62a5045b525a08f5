/** How many bytes `work` moves from buffer to buffer, and how many buffers it makes of others, each counted as one. */
export function countCopied(work: () => void): number {
  const { set, copyWithin } = Uint8Array.prototype;
  const { concat, from } = Buffer;
  let copied = 0;
  Uint8Array.prototype.set = function (this: Uint8Array, source: ArrayLike<number>, offset?: number) {
    copied += source.length;
    return set.call(this, source, offset);
  };
  Uint8Array.prototype.copyWithin = function (this: Uint8Array, target: number, start: number, end = this.length) {
    copied += end - start;
    return copyWithin.call(this, target, start, end);
  };
  Buffer.concat = (parts: readonly Uint8Array[], length?: number) => {
    // The list itself was made for it, too.
    copied += parts.length + parts.reduce((sum, part) => sum + part.length, 0);
    return concat(parts, length);
  };
  Buffer.from = ((...given: [never]) => {
    const made = from(...given);
    copied += Math.max(1, made.length);
    return made;
  }) as typeof Buffer.from;
  try {
    work();
  } finally {
    Object.assign(Uint8Array.prototype, { set, copyWithin });
    Object.assign(Buffer, { concat, from });
  }
  return copied;
}
