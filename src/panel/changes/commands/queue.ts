import { createBatcher } from "../../../lib/batcher.ts";
import { days, hours, minutes } from "../../../lib/duration.ts";
import { isRecord, parseJson } from "../../../lib/json.ts";
import type { AgentCommand, CommandResult } from "../../../shared/agent-protocol/index.ts";
import type { CommandSource } from "../../base.ts";
import { byAgent } from "../../event-meaning.ts";
import type { Needs } from "./needs.ts";
import { createOutputRoom } from "./output-room.ts";
import {
  abandonCommands,
  type CommandKey,
  expireCommands,
  listOpenCommands,
  type OnEnded,
  type OpenCommand,
  pruneCommands,
  pruneSurplus,
  sentWriter,
  settleCommands,
  type Told,
} from "./queue-store.ts";

/** Commands of all workspaces that are not over, as heartbeats ask for them. */
export interface CommandQueue extends CommandSource {
  /** Reads what is not over, and begins to end what takes too long. */
  start(): Promise<void>;
  stop(): void;
  /** Takes commands that were just committed. */
  add(commands: readonly OpenCommand[]): void;
  /** Takes one back, unless it was handed out already; then null. */
  claim(nodeId: string, id: string): OpenCommand | null;
  /** Lets go of commands that are over in the tables: no node is told them any more, and whoever waits for their end is. */
  forget(commands: readonly CommandKey[]): void;
  /** How many wait for a node. */
  waiting(nodeId: string): number;
  /** Hears of every command that is over, once that is committed. */
  onEnded(listener: (commands: readonly CommandKey[]) => void): () => void;
}

const PAGE = 1_000;
/** Of one answer: a node asks again in seconds. */
const AT_ONCE = 20;
/** Nodes whose commands leave together: a whole fleet was sent one and comes for it. */
const LEAVING_AT_ONCE = 500;
/** A fleet that was sent one command answers within seconds. Results, so that nobody waits for those of one node that has many. */
const TOLD_AT_ONCE = 200;
/** Commands that end, or are forgotten, in one transaction, so that nobody waits for all that a fleet was sent in a minute. */
const ENDED_AT_ONCE = 200;
const PRUNED_AT_ONCE = 500;
const KEEP_MS = days(30);
/** Commands that are over, of one workspace: so many in all, and more where it has many nodes. */
const KEPT_LEAST = 20_000;
const KEPT_PER_NODE = 100;

/** Commands that leave for one node. */
interface Departure {
  readonly commands: readonly OpenCommand[];
  /** Ids of those that were written down as sent. */
  left: ReadonlySet<string>;
}

/** What a node says about a command: how it ended, where it says so, or else the last; null for nothing. */
function lastWord({ id }: OpenCommand, results: readonly CommandResult[]): CommandResult | null {
  const said = results.filter((result) => result.id === id);
  return said.find(({ status }) => status !== "running") ?? said.at(-1) ?? null;
}

const agentCommand = ({ id, type, generation, payload }: OpenCommand): AgentCommand => {
  const value = parseJson(payload);
  return { id, type, generation, payload: isRecord(value) ? value : {} };
};

/** An empty queue; `start` fills it. */
export function createCommandQueue({
  system,
  clock,
  log,
  nodes,
  bus,
}: Pick<Needs, "system" | "clock" | "log" | "nodes" | "bus">): CommandQueue {
  const endListeners = new Set<(commands: readonly CommandKey[]) => void>();
  const hearEnd = (commands: readonly CommandKey[]): void => {
    for (const listener of endListeners) listener(commands);
  };
  const tellEnd: OnEnded = async (tx, ended) => {
    const { tenant_id, id, node_id, type, status } = ended;
    await bus.emit(tx, "fleet.command.result", {
      by: byAgent(tenant_id, ""),
      ...{ node_id, command: type, command_id: id, status },
    });
    tx.afterCommit(() => hearEnd([ended]));
  };
  const queues = new Map<string, OpenCommand[]>();
  const listeners = new Set<(nodeId: string) => void>();
  /** Commands whose leaving is being written down. */
  const leaving = new Map<string, Promise<void>>();
  const markSent = sentWriter(system);
  const writeLeaving = createBatcher<Departure>(async (departures) => {
    const left = await markSent(
      departures.flatMap(({ commands }) => commands),
      clock.now(),
    );
    for (const departure of departures) departure.left = left;
  }, LEAVING_AT_ONCE);
  const room = createOutputRoom(system);
  const writeTold = createBatcher<Told>(async (told) => {
    const kept = await settleCommands(system, told, tellEnd);
    await quietly("old outputs could not be removed", () => room.note(kept));
  }, TOLD_AT_ONCE);

  const queueOf = (nodeId: string): OpenCommand[] => queues.get(nodeId) ?? [];

  function replace(nodeId: string, queue: OpenCommand[]): void {
    if (queue.length === 0) queues.delete(nodeId);
    else queues.set(nodeId, queue);
  }

  function drop({ node_id, id }: CommandKey): void {
    replace(
      node_id,
      queueOf(node_id).filter((command) => command.id !== id),
    );
  }

  const isGone = ({ node_id, tenant_id }: OpenCommand) => nodes.directory.find(node_id)?.tenantId !== tenant_id;

  function add(all: readonly OpenCommand[]): void {
    // Where transactions run side by side, the node may have been deleted meanwhile, and be another workspace's by now.
    for (const { tenant_id, node_id } of all.filter(isGone)) abandon(tenant_id, node_id);
    const commands = all.filter((command) => !isGone(command));
    for (const command of commands) replace(command.node_id, [...queueOf(command.node_id), command]);
    for (const nodeId of new Set(commands.map(({ node_id }) => node_id)))
      for (const listener of listeners) listener(nodeId);
  }

  /** A failure is told once; what it is about is done again later. */
  async function quietly(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.error(what, { error });
    }
  }

  const abandon = (tenantId: string, nodeId: string) =>
    void quietly("commands of a deleted node could not be ended", async () =>
      hearEnd(await abandonCommands(system, tenantId, nodeId, clock.now())),
    );

  /** What a node may be told now, in its order. */
  const toTell = (nodeId: string): OpenCommand[] =>
    // What runs is known to the node: it will tell how it ends, also after a crash.
    queueOf(nodeId)
      .filter(({ status }) => status !== "running")
      .slice(0, AT_ONCE);

  const departures = (nodeId: string) => toTell(nodeId).flatMap(({ id }) => leaving.get(id) ?? []);

  /** Writes down that commands leave. Nobody can take them back meanwhile; they wait on when it fails. */
  async function leave(commands: readonly OpenCommand[]): Promise<void> {
    for (const command of commands) command.status = "sent";
    const departure: Departure = { commands, left: new Set() };
    const written = writeLeaving(departure);
    for (const command of commands) leaving.set(command.id, written);
    try {
      await written;
    } catch (error) {
      for (const command of commands) if (command.status === "sent") command.status = "queued";
      log.error("commands stay here: that they leave could not be written down", { error });
    } finally {
      for (const { id } of commands) leaving.delete(id);
    }
    // What is over in the tables was ended a moment ago.
    for (const command of commands) if (command.status === "sent" && !departure.left.has(command.id)) drop(command);
  }

  const expire = () =>
    quietly("commands could not be ended", async () => {
      for (let isMore = true; isMore; ) {
        const ended = await expireCommands(system, clock.now(), ENDED_AT_ONCE, tellEnd);
        for (const key of ended) drop(key);
        isMore = ended.length === ENDED_AT_ONCE;
      }
    });
  const prune = () =>
    quietly("old commands could not be removed", async () => {
      const before = clock.now() - KEEP_MS;
      while ((await pruneCommands(system, before, PRUNED_AT_ONCE)) === PRUNED_AT_ONCE);
      await pruneSurplus(system, KEPT_LEAST, KEPT_PER_NODE);
      await room.tidy();
    });

  nodes.onChange(({ kind, node_id, tenant_id }) => {
    if (kind === "deleted" && queues.delete(node_id)) abandon(tenant_id, node_id);
  });

  async function read(): Promise<void> {
    let after = "";
    while (true) {
      const page = await listOpenCommands(system, after, PAGE);
      // Of a node that was deleted meanwhile: its time runs out.
      for (const command of page)
        if (!isGone(command)) replace(command.node_id, [...queueOf(command.node_id), command]);
      after = page.at(-1)?.id ?? "";
      if (page.length < PAGE) return;
    }
  }

  let stops: (() => void)[] = [];
  return {
    async start() {
      await read();
      stops = [clock.every(minutes(1), () => void expire()), clock.every(hours(1), () => void prune())];
    },
    stop() {
      for (const stop of stops) stop();
    },
    add,
    claim(nodeId, id) {
      const found = queueOf(nodeId).find((command) => command.id === id && command.status === "queued");
      if (found) drop(found);
      return found ?? null;
    },
    forget(commands) {
      for (const key of commands) drop(key);
      hearEnd(commands);
    },
    waiting: (nodeId) => queueOf(nodeId).length,
    async forNode({ nodeId, tenantId }) {
      // Another workspace may have enrolled the server by now.
      const own = () => toTell(nodeId).filter(({ tenant_id }) => tenant_id === tenantId);
      if (!queues.has(nodeId)) return [];
      // Another question of the node may be the one that they leave with.
      for (let gone = departures(nodeId); gone.length > 0; gone = departures(nodeId)) await Promise.allSettled(gone);
      const fresh = own().filter(({ status }) => status === "queued");
      if (fresh.length > 0) await leave(fresh);
      return own()
        .filter(({ id, status }) => status === "sent" && !leaving.has(id))
        .map(agentCommand);
    },
    async settle({ tenantId, nodeId }, results) {
      const at = clock.now();
      const own = queueOf(nodeId).filter(({ tenant_id }) => tenant_id === tenantId);
      const told = own.flatMap((command) => {
        const result = lastWord(command, results);
        return result ? [{ command, result }] : [];
      });
      await Promise.all(told.map(({ result }) => writeTold({ tenantId, nodeId, result, at })));
      for (const { command, result } of told) {
        if (result.status === "running") command.status = "running";
        else drop(command);
      }
    },
    onEnded(listener) {
      endListeners.add(listener);
      return () => void endListeners.delete(listener);
    },
    onQueued(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
