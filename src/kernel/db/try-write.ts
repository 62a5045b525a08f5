import type { Log } from "../log.ts";

/** Writes what may be missing, such as when something was last used: a full disk is logged, and refuses nobody. */
export function tryWrite(log: Log, what: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    log.warn("not written down", { what, error });
  }
}
