import { fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";

const bringToDisk = promisify(fdatasync);

/**
 * Brings what was committed to the write-ahead log of a database onto the disk, on another thread. Those who ask while
 * it is at it share the next turn. Throws what the disk answers, and when nothing was ever written. The log stays open as long as
 * the process, as its database does; SQLite holds no lock on this file.
 */
export function createLogSync(databaseFile: string): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let log: number | null = null;

  async function sync(): Promise<void> {
    log ??= openSync(`${databaseFile}-wal`, "r");
    await bringToDisk(log);
  }

  function begin(): Promise<void> {
    next = null;
    const turn = sync().finally(() => {
      if (running === turn) running = null;
    });
    running = turn;
    return turn;
  }

  return () => {
    if (!running) return begin();
    // The turn under way may have begun before the commit of whoever asks now.
    next ??= running.then(begin, begin);
    return next;
  };
}
