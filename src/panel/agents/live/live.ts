import type { Log } from "../../../kernel/log.ts";
import { createBatcher } from "../../../lib/batcher.ts";
import { type Clock, toIso } from "../../../lib/clock.ts";
import { days, hours, seconds } from "../../../lib/duration.ts";
import { type AgentCommand, agentFail } from "../../../shared/agent-protocol/index.ts";
import type { PanelLists } from "../../base.ts";
import type { AgentIdentity } from "../agent-listener/index.ts";
import type { SampleStore } from "../samples/index.ts";
import { appsKept, readReport } from "./facts.ts";
import type { LiveTables } from "./journal-store.ts";
import { createListening } from "./listening.ts";
import { createOnsets } from "./onsets.ts";
import { nextHeartbeat } from "./pace.ts";
import type { AppReport, LiveStore, NodeFacts, TenantFleet } from "./port.ts";
import { createRecorder } from "./recorder.ts";
import { refillHours } from "./refill.ts";
import { restoreFigures } from "./restore.ts";
import { createRoom } from "./room.ts";
import { createRoster } from "./roster.ts";
import { createStatuses } from "./statuses.ts";
import { tenantFleet } from "./tenant-fleet.ts";
import { createVitals } from "./vitals.ts";
import { createWatch } from "./watch.ts";

const TICK_MS = seconds(1);
const FORGET_EVERY_MS = hours(1);
/** Nodes in one transaction. */
const BATCH = 1_000;
/** What was measured on its way when the node was deleted has arrived by then. */
const KEEP_DELETED_MS = days(1);
const KEEP_TRANSITIONS_MS = days(100);
/** Of one node: fifty changes a day for as long as they are kept. Whoever has a node says itself how it is, as often as it likes. */
const KEPT_TRANSITIONS = 5_000;

export interface LiveDeps {
  tables: LiveTables;
  clock: Clock;
  log: Log;
  samples: SampleStore;
  /** Numbers in [0, 1), for spreading heartbeats. */
  random: () => number;
  /** Where commands come from, and who knows which nodes have a session. */
  lists: Pick<PanelLists, "commands" | "sessions">;
}

/** A store of the nodes of all workspaces; empty until `put` and `start`. */
export function createLiveStore({ tables, clock, log, samples, random, lists }: LiveDeps): LiveStore {
  const roster = createRoster();
  const vitals = createVitals();
  const onsets = createOnsets();
  const room = createRoom();
  const statuses = createStatuses({ roster, vitals });
  const recorder = createRecorder({ write: createBatcher(tables.write, BATCH), roster, vitals, statuses, onsets });
  const watch = createWatch({ clock, log, roster, vitals, statuses, recorder });
  const listening = createListening({ clock, log, tables });
  const apps: (readonly AppReport[] | undefined)[] = [];
  const memory = {
    ...{ roster, vitals, onsets, clock, samples },
    latestApps: (no: number) => apps[no],
    isConnected: (nodeId: string) => lists.sessions.all().some((hasSession) => hasSession(nodeId)),
  };
  const fleets = new Map<string, TenantFleet>();
  const seen = new Set<(nodeId: string, tenantId: string, first: boolean) => void>();
  let stops: (() => void)[] = [];

  function of(tenantId: string): TenantFleet {
    const known = fleets.get(tenantId);
    if (known) return known;
    const fresh = tenantFleet(memory, tenantId);
    fleets.set(tenantId, fresh);
    return fresh;
  }

  /** The node that began to speak, after a wait. Throws `node_deleted` where it has gone: another workspace may have its id by now. */
  function sameNode(no: number, { nodeId, tenantId }: AgentIdentity): NodeFacts {
    const facts = roster.find(nodeId);
    if (facts?.no !== no || facts.tenant_id !== tenantId) throw agentFail("node_deleted");
    return facts;
  }

  function forget(no: number): void {
    vitals.clear(no);
    statuses.forget(no);
    onsets.forget(no);
    delete apps[no];
  }

  async function settled(): Promise<void> {
    await recorder.settled();
    await listening.settled();
  }

  async function forgetTransitions(): Promise<void> {
    try {
      await tables.forget(clock.now() - KEEP_TRANSITIONS_MS);
      await tables.forgetSurplus(KEPT_TRANSITIONS);
      await tables.forgetDeleted(clock.now() - KEEP_DELETED_MS);
    } catch (error) {
      log.error("old changes of nodes cannot be removed", { error });
    }
  }

  return {
    of,
    fleetOf: ({ db }) => of(db.tenant_id),
    put(facts) {
      const before = roster.put(facts);
      if (before && before.no !== facts.no) forget(before.no);
      vitals.admit(facts);
      watch.follow(facts.no, clock.now());
      if (facts.marked_offline && before?.marked_offline === false) watch.judge(facts.no, clock.now());
    },
    remove(id) {
      const before = roster.remove(id);
      if (before) forget(before.no);
    },
    async heartbeat(input, node) {
      const { nodeId, tenantId } = node;
      const known = roster.find(nodeId);
      if (known?.tenant_id !== tenantId) throw agentFail("node_deleted");
      const { no } = known;
      const now = clock.now();
      const sample = vitals.write(no, input, now);
      samples.append(sample);
      watch.follow(no, now);
      // Asked again after the wait: another heartbeat of the node may have been faster.
      while (recorder.isBusy(no)) await recorder.idle(no);
      const facts = sameNode(no, node);
      const report = readReport(facts, input, now);
      const after = report?.apply(facts) ?? facts;
      const giveBack = room.take(roster.tenant(tenantId), facts, after);
      try {
        if (report) vitals.admit(after);
        onsets.follow(no, vitals.verdict(no, now).reasons, now);
        await recorder.record(facts, report, statuses.changeOf(facts, now));
      } finally {
        giveBack();
      }
      const latest = sameNode(no, node);
      if (input.apps) apps[no] = appsKept(input.apps, latest.apps);
      const first = facts.first_seen_at === null;
      for (const listener of seen) listener(nodeId, tenantId, first);
      const { results = [] } = input;
      if (results.length > 0) for (const source of lists.commands.all()) await source.settle(node, results);
      const commands: AgentCommand[] = [];
      for (const source of lists.commands.all()) commands.push(...(await source.forNode(node)));
      return {
        commands,
        next_heartbeat_sec: nextHeartbeat(roster.count(), samples.pressure(), random),
        server_time: toIso(clock.now()),
      };
    },
    onSeen(listener) {
      seen.add(listener);
      return () => void seen.delete(listener);
    },
    onChange(tenantId, listener) {
      const { listeners } = roster.tenant(tenantId);
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    count: () => roster.count(),
    async start() {
      const begin = clock.monotonic();
      const count = await restoreFigures({ tables, roster, vitals, statuses, onsets });
      const missed = await listening.begin();
      roster.each(({ no }) => vitals.missedBefore(no, missed(vitals.read(no).last_seen)));
      const now = clock.now();
      watch.excuse(now);
      roster.each(({ no }) => watch.follow(no, now));
      log.info("fleet in memory", { nodes: roster.count(), figures: count, ms: Math.round(clock.monotonic() - begin) });
      stops = [
        clock.every(TICK_MS, watch.tick),
        clock.every(TICK_MS, listening.tick),
        clock.every(FORGET_EVERY_MS, () => void forgetTransitions()),
        refillHours({ clock, log, roster, vitals, samples }),
      ];
    },
    settled,
    async stop() {
      for (const stop of stops) stop();
      await settled();
    },
  };
}
