import { toIso } from "../../../lib/clock.ts";
import { minutes } from "../../../lib/duration.ts";
import type { Actor } from "../../actor.ts";
import type { Member, MemberPresence, PresenceList } from "./contract.ts";
import type { Own } from "./needs.ts";
import { HERE_MS } from "./presences.ts";
import { findMembers, listActiveMembers, type MemberRow } from "./store.ts";

type Deps = Pick<Own, "clock" | "presences">;

const ONLINE_MS = minutes(1);

function presenceOf(lastSeen: number, now: number): Member["presence"] {
  const age = now - lastSeen;
  if (age < ONLINE_MS) return "online";
  return age < HERE_MS ? "idle" : "offline";
}

/** A member as lists show them: their last call counts as much as the last word of a page that they have open. */
export function presentMember(
  { clock, presences }: Deps,
  tenantId: string,
  { id, email, display_name, role, status, last_active_at }: MemberRow,
): Member {
  const whereabouts = presences.find(tenantId, id);
  const seen = Math.max(last_active_at ?? Number.NEGATIVE_INFINITY, whereabouts?.at ?? Number.NEGATIVE_INFINITY);
  return {
    ...{ id, email, display_name, role, status },
    presence: presenceOf(seen, clock.now()),
    last_seen_at: Number.isFinite(seen) ? toIso(seen) : null,
    current_page: whereabouts?.page ?? null,
  };
}

/** Who is here of the caller's workspace, and who belongs to it; `limit` of each. */
export async function listPresence(deps: Deps, { db, tenant_id }: Actor, limit: number): Promise<PresenceList> {
  const show = (row: MemberRow): MemberPresence => {
    const { status: _, ...shown } = presentMember(deps, tenant_id, row);
    return shown;
  };
  const rows = await listActiveMembers(db, limit);
  const known = new Map(rows.map((row) => [row.id, row]));
  const here = deps.presences.list(tenant_id, limit).map(({ memberId }) => memberId);
  const others = here.filter((id) => !known.has(id));
  for (const row of await findMembers(db, others)) known.set(row.id, row);
  // Whoever was removed meanwhile is here no longer.
  const users = here.flatMap((id) => known.get(id) ?? []).filter(({ status }) => status === "active");
  return { users: users.map(show), members: rows.map(show) };
}
