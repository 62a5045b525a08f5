import { holds } from "../../access.ts";
import { hasEntry } from "../sessions/index.ts";
import type { MembershipRow } from "../tenants/index.ts";
import type { Needs } from "./needs.ts";
import type { Waiting } from "./present.ts";

/**
 * What waits in the workspaces of these memberships, by workspace: incidents for whoever may see nodes there, and what the member was told
 * of and has not read. Nothing of one that they could not enter now.
 */
export async function findWaiting(
  { system, lists }: Pick<Needs, "system" | "lists">,
  rows: readonly MembershipRow[],
): Promise<(tenantId: string) => Waiting> {
  const open = rows.filter((row) => row.tenant_status === "active" && hasEntry(row));
  const unread = await Promise.all(lists.unread.all().map((source) => source.count(system, open)));
  const watched = open.filter(({ role }) => holds(role, "fleet:read")).map(({ tenant_id }) => tenant_id);
  const incidents = await Promise.all(lists.incidents.all().map((count) => count(system, watched)));
  const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);
  const waiting = new Map(
    open.map(({ tenant_id: id }) => [
      id,
      {
        open_incidents: sum(incidents.map((counts) => counts.get(id) ?? 0)),
        unread_notifications: sum(unread.map((counts) => counts.get(id) ?? 0)),
      },
    ]),
  );
  return (id) => waiting.get(id) ?? { open_incidents: 0, unread_notifications: 0 };
}
