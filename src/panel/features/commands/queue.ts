import { createBatcher } from "../../../lib/batcher.ts";
import { days, hours, minutes, seconds } from "../../../lib/duration.ts";
import { isRecord, parseJson } from "../../../lib/json.ts";
import type { AgentCommand } from "../../../shared/agent-protocol/index.ts";
import type { PanelContext } from "../../context.ts";
import type { CommandQueue } from "../../live/commands.ts";
import {
  abandonCommands,
  type CommandKey,
  expireCommands,
  listOpenCommands,
  markSent,
  type OpenCommand,
  pruneCommands,
  settleCommands,
  type Told,
} from "./queue-store.ts";

/** Commands of all workspaces that are not over, as heartbeats ask for them. */
export interface Commands extends CommandQueue {
  /** Reads what is not over. */
  open(): Promise<void>;
  /** Begins to end what takes too long; returns how to stop. */
  start(): () => void;
  /** Takes commands that were just committed. */
  add(commands: readonly OpenCommand[]): void;
  /** Takes one back, unless it was handed out already; then null. */
  claim(nodeId: string, id: string): OpenCommand | null;
  /** How many wait for a node. */
  waiting(nodeId: string): number;
  /** Writes down what was handed out. */
  flush(): Promise<void>;
}

const PAGE = 1_000;
/** Of one answer: a node asks again in seconds. */
const AT_ONCE = 20;
const FLUSH_EVERY_MS = seconds(1);
/** A fleet that was sent one command answers within seconds. */
const TOLD_AT_ONCE = 200;
const KEEP_MS = days(30);

const agentCommand = ({ id, type, generation, payload }: OpenCommand): AgentCommand => {
  const value = parseJson(payload);
  return { id, type, generation, payload: isRecord(value) ? value : {} };
};

/** An empty queue; `open` fills it. */
export function createCommands({
  system,
  clock,
  log,
  nodes,
}: Pick<PanelContext, "system" | "clock" | "log" | "nodes">): Commands {
  const queues = new Map<string, OpenCommand[]>();
  const listeners = new Set<(nodeId: string) => void>();
  let handedOut: CommandKey[] = [];
  let writing: Promise<void> | null = null;
  const writeTold = createBatcher<Told>((told) => settleCommands(system, told), TOLD_AT_ONCE);

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

  function add(commands: readonly OpenCommand[]): void {
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

  async function writeSent(): Promise<void> {
    const batch = handedOut;
    handedOut = [];
    if (batch.length > 0)
      await quietly("handed out commands could not be written down", () => markSent(system, batch, clock.now()));
  }

  function flush(): Promise<void> {
    writing ??= writeSent().finally(() => {
      writing = null;
    });
    return writing;
  }

  const expire = () =>
    quietly("commands could not be ended", async () => {
      for (const key of await expireCommands(system, clock.now())) drop(key);
    });
  const prune = () => quietly("old commands could not be removed", () => pruneCommands(system, clock.now() - KEEP_MS));

  nodes.onChange(({ kind, node_id, tenant_id }) => {
    if (kind !== "deleted" || !queues.delete(node_id)) return;
    void quietly("commands of a deleted node could not be ended", () =>
      abandonCommands(system, tenant_id, node_id, clock.now()),
    );
  });

  return {
    async open() {
      let after = "";
      while (true) {
        const page = await listOpenCommands(system, after, PAGE);
        // Of a node that was deleted meanwhile: its time runs out.
        for (const command of page)
          if (nodes.directory.find(command.node_id)?.tenantId === command.tenant_id)
            replace(command.node_id, [...queueOf(command.node_id), command]);
        after = page.at(-1)?.id ?? "";
        if (page.length < PAGE) return;
      }
    },
    start() {
      const stops = [
        clock.every(FLUSH_EVERY_MS, () => void flush()),
        clock.every(minutes(1), () => void expire()),
        clock.every(hours(1), () => void prune()),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
    add,
    claim(nodeId, id) {
      const found = queueOf(nodeId).find((command) => command.id === id && command.status === "queued");
      if (found) drop(found);
      return found ?? null;
    },
    waiting: (nodeId) => queueOf(nodeId).length,
    flush,
    forNode(nodeId) {
      // What runs is known to the node: it will tell how it ends, also after a crash.
      const told = queueOf(nodeId)
        .filter(({ status }) => status !== "running")
        .slice(0, AT_ONCE);
      for (const command of told.filter(({ status }) => status === "queued")) {
        command.status = "sent";
        handedOut.push(command);
      }
      return told.map(agentCommand);
    },
    async settle(node, results) {
      await writeTold({ tenantId: node.tenantId, nodeId: node.nodeId, results, at: clock.now() });
      const own = new Map(queueOf(node.nodeId).map((command) => [command.id, command]));
      for (const { id, status } of results) {
        const command = own.get(id);
        if (command?.tenant_id !== node.tenantId) continue;
        if (status === "running") command.status = "running";
        else drop(command);
      }
    },
    onQueued(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
