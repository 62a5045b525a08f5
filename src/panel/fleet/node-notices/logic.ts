import { toIso } from "../../../lib/clock.ts";
import type { Actor } from "../../actor.ts";
import { deleteNotice, listNotices } from "../../agents/nodes/index.ts";
import { byMember } from "../../event-meaning.ts";
import { requireNode } from "../fleet/index.ts";
import { fail, type NodeNotices, type NoticeAcknowledged } from "./contract.ts";
import type { Needs } from "./needs.ts";

/** What nobody has put away about a node, the newest first. Throws `node_not_found`. */
export async function readNotices(
  { nodes, live }: Pick<Needs, "nodes" | "live">,
  actor: Actor,
  nodeId: string,
): Promise<NodeNotices> {
  const { id } = requireNode(live.fleetOf(actor), nodeId);
  const rows = await listNotices(actor.db, id);
  const ahead = nodes.clockAhead(id);
  const notices = rows.map(({ node_id, address, first_at, at, ...row }) => ({
    ...row,
    instance_id: node_id,
    address: address || null,
    first_at: toIso(first_at),
    at: toIso(at),
  }));
  return { notices, clock_ahead_seconds: ahead === null ? null : Math.round(ahead / 1_000) };
}

/** Puts a notice away, on the record. Throws `notice_not_found`, also for one that has happened again since. */
export function acknowledgeNotice(
  deps: Pick<Needs, "bus">,
  actor: Actor,
  ip: string,
  id: string,
): Promise<NoticeAcknowledged> {
  return actor.db.tx(async (tx) => {
    const notice = await deleteNotice(tx, id);
    if (!notice) throw fail("notice_not_found", { id });
    const told = { by: byMember(actor, ip), node_id: notice.node_id, notice: notice.kind };
    await deps.bus.emit(tx, "fleet.node.notice", told);
    return { id, status: "acknowledged" };
  });
}
