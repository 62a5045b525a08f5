import { endMembership } from "./end-membership.ts";
import { fail } from "../contract.ts";
import { findLink, putLink } from "../link-store.ts";
import type { Needs } from "../needs.ts";
import type { Asker } from "./connect.ts";

/**
 * Leaves the panel: keys and secret are gone at once, the running node stops talking within a second, and the plan is that of
 * the configuration again. The panel itself is not told and shows the node as offline. Throws `panel_not_connected`.
 */
export function disconnectPanel({ db, ids, clock }: Pick<Needs, "db" | "ids" | "clock">, asker: Asker): void {
  db.tx(() => {
    const link = findLink(db);
    if (!link || link.ended === "disconnected") throw fail("panel_not_connected");
    endMembership({ db, clock }, link.membership);
    putLink(db, {
      ...link,
      revision: ids.next("link"),
      credentials: "",
      secret: "",
      license_token: "",
      ended: "disconnected",
      ended_reason: null,
      changed_by: asker.by,
      changed_from: asker.ip,
      changed_at: clock.now(),
      announced: 0,
    });
  });
}
