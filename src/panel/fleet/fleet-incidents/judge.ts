import { setImmediate } from "node:timers/promises";
import { minutes } from "../../../lib/duration.ts";
import type { TenantFleet } from "../../agents/live/index.ts";
import type { SystemTx } from "../../data/tenant-db.ts";
import { byAgent } from "../../event-meaning.ts";
import { alertFigure, type OpenAlert, openAlerts, presentAlert, severityOf } from "../fleet/index.ts";
import { type Cause, NODES_MAX } from "./contract.ts";
import type { Needs } from "./needs.ts";
import {
  findBegun,
  findKnown,
  type IncidentRow,
  insertIncident,
  listLatest,
  listWatched,
  markEscalated,
  markKnown,
  noteGrowth,
  reopen,
  resolve,
} from "./store.ts";
import { type AffectedRow, type EntryRow, insertAffected, insertEntry } from "./timeline-store.ts";

/** What one cause takes with it shows within a minute, so that it is told once and with the right number. */
const GRACE_MS = minutes(1);
/** Quiet for so long, it is over; back within so long, it is the same one. */
const OVER_MS = minutes(5);
const SAME_MS = minutes(30);
/** Nobody said for so long that they know. */
const UNKNOWN_MS = minutes(30);
/** Grown to so many times what it was, and by so many at least. */
const GROWTH = { times: 3, by: 5 };
/**
 * Incidents of a workspace that are open or were a moment ago, or one for each of its nodes if that is more. What goes wrong beyond them
 * is an alert until there is room: nodes that say another place each minute are a new cause each time.
 */
const LATEST_LEAST = 200;
/** Workspaces that are asked for at a time. */
const PAGE = 200;

/** Passes by itself, or ends in another rule. */
const IGNORED = new Set<string>(["heartbeat_late", "never_connected", "not_yet_heard"]);

const keyOf = ({ rule, region }: Pick<IncidentRow, "rule" | "region">): string => JSON.stringify([rule, region]);

/** A cause that is there now, with its nodes. */
interface Seen extends Cause {
  since: number;
  affected: readonly AffectedRow[];
}

/** What is wrong now by its cause, what most nodes have first: where there is not room for all, the largest have it. */
function seenNow(fleet: TenantFleet): Map<string, Seen> {
  const alerts = openAlerts(fleet).filter(({ reason }) => !IGNORED.has(reason));
  const causes = Map.groupBy(alerts, ({ reason, facts }) => keyOf({ rule: reason, region: facts.region ?? "" }));
  const bySize = [...causes].toSorted(([, left], [, right]) => right.length - left.length);
  return new Map(bySize.map(([key, group]) => [key, describe(fleet, group)]));
}

function describe(fleet: TenantFleet, group: readonly OpenAlert[]): Seen {
  const first = group.reduce((earliest, alert) => (alert.at < earliest.at ? alert : earliest));
  const { title, hostname } = presentAlert(fleet, first);
  return {
    rule: first.reason,
    region: first.facts.region ?? "",
    severity: severityOf(first.reason) === "critical" ? "critical" : "warning",
    ...{ title, hostname, figure: alertFigure(fleet, first) },
    nodes: group.length,
    since: first.at,
    affected: group.map(({ facts, at }) => ({ node_id: facts.id, since: at })),
  };
}

/**
 * A judge of all fleets. What it decides is on disk together with what is told of it, so a kill tells nothing twice; when a cause was seen
 * last it keeps itself: after a start nothing is over before it was looked at for long enough.
 */
export function createJudge(needs: Needs): (signal: AbortSignal) => Promise<void> {
  const { system, live, clock } = needs;
  const lastSeen = new Map<string, number>();
  /** The nodes that are written down of open incidents. */
  const noted = new Map<string, Set<string>>();

  async function judgeFleet(tenantId: string): Promise<void> {
    const now = clock.now();
    const fleet = live.of(tenantId);
    const seen = seenNow(fleet);
    await system.tx(async (tx) => {
      const rows = await listLatest(tx, tenantId, now - SAME_MS);
      const latest = new Map(rows.map((row) => [keyOf(row), row]));
      let room = Math.max(LATEST_LEAST, fleet.nodes().length) - rows.length;
      for (const [key, cause] of seen) {
        const row = latest.get(key) ?? null;
        if (row !== null) await follow(tx, tenantId, cause, row);
        else if (room > 0 && (await begin(tx, tenantId, cause))) room -= 1;
      }
      for (const [key, row] of latest) {
        if (row.resolved_at !== null || seen.has(key)) continue;
        const at = lastSeen.get(row.id) ?? now;
        lastSeen.set(row.id, at);
        // A clock that was set back says nothing about how long it is quiet.
        if (now >= at && now - at < OVER_MS) continue;
        await resolve(tx, tenantId, row.id, now);
        await tell(tx, tenantId, row.id, "over", 0);
        lastSeen.delete(row.id);
        tx.afterCommit(() => noted.delete(row.id));
      }
    });
  }

  const tell = (
    tx: SystemTx,
    tenantId: string,
    incidentId: string,
    kind: EntryRow["kind"],
    nodes: number,
  ): Promise<void> =>
    insertEntry(tx, tenantId, incidentId, {
      ...{ id: needs.ids.next("ent"), at: clock.now(), kind, nodes },
      ...{ member_id: "", text: "" },
    });

  /** Writes down the nodes that an incident did not have yet, as many as it names. */
  async function noteNodes(tx: SystemTx, tenantId: string, id: string, affected: readonly AffectedRow[]) {
    const known = noted.get(id) ?? new Set();
    const fresh = affected.filter(({ node_id }) => !known.has(node_id)).slice(0, NODES_MAX - known.size);
    for (const row of fresh) await insertAffected(tx, tenantId, id, row);
    tx.afterCommit(() => noted.set(id, new Set([...known, ...fresh.map(({ node_id }) => node_id)])));
  }

  async function noteKnown(tx: SystemTx, tenantId: string, id: string, known: { member_id: string; at: number }) {
    await markKnown(tx, tenantId, id, known);
    await insertEntry(tx, tenantId, id, {
      ...{ id: needs.ids.next("ent"), kind: "acknowledged", nodes: 0, text: "" },
      ...known,
    });
  }

  /** Opens the incident of a new cause; false while it may still pass or grow. */
  async function begin(tx: SystemTx, tenantId: string, cause: Seen): Promise<boolean> {
    const now = clock.now();
    if (now - cause.since < GRACE_MS) return false;
    const { since, affected, ...told } = cause;
    const id = needs.ids.next("inc");
    await insertIncident(tx, tenantId, { ...told, id, since, opened_at: now });
    await tell(tx, tenantId, id, "opened", cause.nodes);
    await noteNodes(tx, tenantId, id, affected);
    // Somebody may have been quicker than this.
    const known = await findKnown(tx, tenantId, cause);
    if (known !== null) await noteKnown(tx, tenantId, id, known);
    await needs.bus.emit(tx, "incident.opened", { by: byAgent(tenantId, ""), incident_id: id, ...told });
    lastSeen.set(id, now);
    return true;
  }

  /** Carries on the incident of a cause that is still there, or is there again. */
  async function follow(tx: SystemTx, tenantId: string, cause: Seen, row: IncidentRow): Promise<void> {
    const now = clock.now();
    const by = byAgent(tenantId, "");
    lastSeen.set(row.id, now);
    if (row.resolved_at !== null) {
      await reopen(tx, tenantId, row.id);
      await tell(tx, tenantId, row.id, "reopened", cause.nodes);
      const known = await findKnown(tx, tenantId, cause, row.resolved_at);
      if (known !== null) await noteKnown(tx, tenantId, row.id, known);
    }
    if (cause.nodes > row.nodes_most) {
      await noteGrowth(tx, tenantId, row.id, cause.nodes);
      await tell(tx, tenantId, row.id, "grown", cause.nodes);
    }
    await noteNodes(tx, tenantId, row.id, cause.affected);
    if (row.escalated_at !== null) return;
    const hasGrown = cause.nodes >= row.nodes_first * GROWTH.times && cause.nodes >= row.nodes_first + GROWTH.by;
    const isUnknown = row.resolved_at === null && row.known_at === null;
    const isOld = isUnknown && cause.severity === "critical" && now - row.opened_at >= UNKNOWN_MS;
    if (!hasGrown && !(isOld && now - (await findBegun(tx, tenantId, row)) >= UNKNOWN_MS)) return;
    await markEscalated(tx, tenantId, row.id, now);
    await tell(tx, tenantId, row.id, "escalated", cause.nodes);
    const { since: _, affected: __, ...told } = cause;
    const reason = hasGrown ? "growth" : "unknown";
    await needs.bus.emit(tx, "incident.escalated", { by, incident_id: row.id, ...told, reason });
  }

  return async (signal) => {
    /** One fleet that cannot be judged keeps nobody else's from it. */
    const failures: unknown[] = [];
    for (let after = ""; ; ) {
      const page = await listWatched(system, after, PAGE);
      for (const tenantId of page) {
        if (signal.aborted) return;
        try {
          await judgeFleet(tenantId);
        } catch (error) {
          failures.push(error);
        }
        await setImmediate();
      }
      after = page.at(-1) ?? "";
      if (page.length < PAGE) break;
    }
    if (failures.length > 0) throw failures[0];
  };
}
