import { kernelFail } from "../../../kernel/http/errors.ts";
import type { ServerEvent } from "../../../kernel/http/sse.ts";
import { toIso } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";
import { parseMoment } from "../../../lib/moment.ts";
import type { Actor } from "../../actor.ts";
import type { LiveStore, TenantFleet } from "../../agents/live/index.ts";
import type { Nodes } from "../../agents/nodes/index.ts";
import type { PanelBase } from "../../base.ts";
import { type FirstHeartbeat, type FirstHeartbeatQuery, fail, type NewNode } from "./contract.ts";
import { type ConnectedRow, findConnected } from "./store.ts";

const POLL_SECONDS = { default: 25, max: 60 };
const STREAM_SECONDS = 600;
const MAX_WAITING = 50;

/** The moment that `since` names; without one every heartbeat counts. Throws `invalid_request`. */
function readSince({ since }: FirstHeartbeatQuery): number {
  const at = since === undefined ? 0 : parseMoment(since);
  if (at === null) throw kernelFail("invalid_request", { field: "since", reason: "is no moment in RFC 3339" });
  return at;
}

/** Waiting for a node to be heard of for the first time since it registered. */
export interface FirstHeartbeats {
  /** Waits at most 60 seconds. Throws `invalid_request`, `too_many_waiting`. */
  poll(actor: Actor, query: FirstHeartbeatQuery, left: AbortSignal): Promise<FirstHeartbeat>;
  /** Gives a source of one event: `heartbeat` with the node, or `timeout`. Throws `invalid_request`, `too_many_waiting`. */
  watch(actor: Actor, query: FirstHeartbeatQuery): (signal: AbortSignal) => AsyncGenerator<ServerEvent>;
}

/** Where nodes are heard of, and what ends all waiting. */
interface Heard extends Pick<PanelBase, "clock" | "signal"> {
  nodes: Pick<Nodes, "onChange">;
  live: Pick<LiveStore, "fleetOf">;
}

/** Nobody waits yet. */
export function createFirstHeartbeats({ clock, nodes, live, signal: stopping }: Heard): FirstHeartbeats {
  /** How many wait, by workspace. */
  const waiting = new Map<string, number>();

  function enter(tenantId: string): void {
    const count = waiting.get(tenantId) ?? 0;
    if (count >= MAX_WAITING) throw fail("too_many_waiting", { limit: MAX_WAITING });
    waiting.set(tenantId, count + 1);
  }

  function leave(tenantId: string): void {
    const count = (waiting.get(tenantId) ?? 1) - 1;
    if (count === 0) waiting.delete(tenantId);
    else waiting.set(tenantId, count);
  }

  async function waitForNode(
    actor: Actor,
    since: number,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<NewNode | null> {
    const end = clock.monotonic() + waitMs;
    let woken = new AbortController();
    // Listening begins before the tables are asked, so that nothing falls in between.
    const stop = nodes.onChange((change) => {
      if (change.kind === "connected" && change.tenant_id === actor.tenant_id) woken.abort();
    });
    try {
      while (true) {
        const row = await findConnected(actor.db, since);
        if (row) return present(live.fleetOf(actor), row);
        const left = end - clock.monotonic();
        if (left <= 0 || signal.aborted) return null;
        await clock.sleep(left, AbortSignal.any([woken.signal, signal]));
        woken = new AbortController();
      }
    } finally {
      stop();
    }
  }

  return {
    async poll(actor, query, left) {
      const since = readSince(query);
      const wait = Math.min(query.timeout ?? POLL_SECONDS.default, POLL_SECONDS.max);
      enter(actor.tenant_id);
      try {
        const instance = await waitForNode(actor, since, seconds(wait), AbortSignal.any([left, stopping]));
        return { connected: instance !== null, instance };
      } finally {
        leave(actor.tenant_id);
      }
    },
    watch(actor, query) {
      const since = readSince(query);
      const wait = Math.min(query.timeout ?? STREAM_SECONDS, STREAM_SECONDS);
      return async function* (signal) {
        enter(actor.tenant_id);
        try {
          const node = await waitForNode(actor, since, seconds(wait), signal);
          if (node) yield { event: "heartbeat", data: node };
          else if (!signal.aborted) yield { event: "timeout", data: { connected: false } };
        } finally {
          leave(actor.tenant_id);
        }
      };
    },
  };
}

function present(fleet: TenantFleet, row: ConnectedRow): NewNode {
  const facts = fleet.get(row.id);
  const seen = facts ? fleet.figures(facts.no).last_seen : 0;
  return {
    id: row.id,
    hostname: row.hostname,
    // It was heard of just now, so it is online unless the fleet knows more.
    status: facts && seen > 0 ? fleet.verdict(facts.no).status : "online",
    version: row.version,
    last_heartbeat: toIso(Math.max(row.last_seen_at, seen)),
    created_at: toIso(row.registered_at),
  };
}
