import { holds } from "../../access.ts";
import type { MembershipRow } from "../tenants/index.ts";
import type { Needs } from "./needs.ts";
import type { Waiting } from "./present.ts";
import { countUnread } from "./store.ts";

/** What waits in the workspaces of these memberships; nothing for whoever may not see nodes there. By workspace. */
export async function findWaiting(
  { system, lists }: Pick<Needs, "system" | "lists">,
  rows: readonly MembershipRow[],
): Promise<(tenantId: string) => Waiting> {
  const seen = rows.filter(({ role, tenant_status }) => holds(role, "fleet:read") && tenant_status === "active");
  const ids = seen.map(({ tenant_id }) => tenant_id);
  const unread = await countUnread(system, lists.unread.all(), ids);
  const waiting = new Map(
    ids.map((id) => [
      id,
      {
        open_incidents: lists.incidents.all().reduce((sum, count) => sum + count(id), 0),
        unread_notifications: unread.get(id) ?? 0,
      },
    ]),
  );
  return (id) => waiting.get(id) ?? { open_incidents: 0, unread_notifications: 0 };
}
