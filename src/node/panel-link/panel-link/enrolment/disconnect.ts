import { fail, type PeopleEnded } from "../contract.ts";
import { findLink, putLink } from "../link-store.ts";
import type { Needs } from "../needs.ts";
import type { Asker } from "./connect.ts";
import { type EndDeps, endMembership } from "./end-membership.ts";

type Deps = EndDeps & Pick<Needs, "ids"> & { users: Pick<Needs["users"], "countActiveAdmins"> };

/**
 * Leaves the panel: keys and secret are gone at once, the running node stops talking within a second, those who came in over it are out,
 * and the plan is that of the configuration again. The panel itself is not told and shows the node as offline. Tells what ended. Throws
 * `panel_not_connected`, `panel_only_admins` where somebody else than the host would leave this server without an admin.
 */
export function disconnectPanel(deps: Deps, asker: Asker): PeopleEnded {
  const { db, ids, clock, users } = deps;
  return db.tx(() => {
    const link = findLink(db);
    if (!link || link.ended === "disconnected") throw fail("panel_not_connected");
    const { agent_url: panel, membership } = link;
    const ended = endMembership(deps, { panel, ...asker, membership, goesOn: null });
    if (asker.by !== "host" && ended.people > 0 && users.countActiveAdmins() === 0) throw fail("panel_only_admins");
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
    return ended;
  });
}
