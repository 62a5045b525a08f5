/** Tells when somebody may have lost what they were let in by, or have it again, so that what lasts can ask anew at once. */
export interface AccessChanges {
  /** Grows with each change. */
  epoch(): number;
  /**
   * Somebody was locked, ended, switched off or on, given another role or deleted, or a setting changed. Those who listen hear of it in
   * the next turn of the event loop, once for many.
   */
  changed(): void;
  /** Calls `listener` after each change until the returned function is called. */
  onChange(listener: () => void): () => void;
}

/** Makes what one program tells such changes by. */
export function createAccessChanges(): AccessChanges {
  const listeners = new Set<() => void>();
  let count = 0;
  let isTelling = false;
  return {
    epoch: () => count,
    changed() {
      count += 1;
      if (isTelling) return;
      isTelling = true;
      // What the change itself has to say to an open stream leaves first.
      setImmediate(() => {
        isTelling = false;
        for (const listener of [...listeners]) listener();
      });
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
