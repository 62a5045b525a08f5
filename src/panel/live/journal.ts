import type { Entry, LiveTables } from "./journal-store.ts";

interface Waiting {
  entry: Entry;
  done: () => void;
  failed: (error: unknown) => void;
}

/** Entries in one transaction. */
const BATCH = 1_000;

/** Writes entries; those that come while others are being written share the next transaction. */
export function createJournal({ write }: Pick<LiveTables, "write">) {
  let waiting: Waiting[] = [];
  let isWriting = false;

  async function run(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH);
      waiting = waiting.slice(BATCH);
      if (await settle(batch, false)) continue;
      // What one node told must not keep the others from being written.
      for (const each of batch) await settle([each], true);
    }
    isWriting = false;
  }

  /** Writes a batch; a failure is told to those who wait only when it is `final`. */
  async function settle(batch: readonly Waiting[], final: boolean): Promise<boolean> {
    try {
      await write(batch.map(({ entry }) => entry));
    } catch (error) {
      if (final) for (const { failed } of batch) failed(error);
      return false;
    }
    for (const { done } of batch) done();
    return true;
  }

  return {
    /** Resolves once the entry is on disk. A node's next entry may come only after that. */
    write(entry: Entry): Promise<void> {
      return new Promise((done, failed) => {
        waiting.push({ entry, done, failed });
        if (!isWriting) void run();
      });
    },
  };
}

export type Journal = ReturnType<typeof createJournal>;
