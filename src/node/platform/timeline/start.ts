import type { Needs } from "./needs.ts";
import { readLastVersion, writeLastVersion } from "./store.ts";

/** Tells that the node came up, and from which version it came. */
export function announceStart({ db, bus, version }: Pick<Needs, "db" | "bus" | "version">): void {
  db.tx(() => {
    const before = readLastVersion(db);
    writeLastVersion(db, version);
    bus.emit("system.node_started", { version, before });
  });
}
