import { type LinkRow, markAnnounced } from "../link-store.ts";
import type { Needs } from "../needs.ts";

/**
 * Tells the rest of the node that it was connected or disconnected, once, whichever process did it: the command line has no
 * bus of its own.
 */
export function announceLink({ db, bus }: Pick<Needs, "db" | "bus">, row: LinkRow): void {
  if (row.announced === 1) return;
  const { revision, agent_url: panel, instance_id, changed_by: by, changed_from: ip } = row;
  db.tx(() => {
    markAnnounced(db, revision);
    const name = row.ended === "disconnected" ? "panel.disconnected" : "panel.connected";
    bus.emit(name, { by, panel, instance_id, ip });
  });
}
