import type { SystemTx } from "../../data/tenant-db.ts";
import type { Needs } from "./needs.ts";
import { postWriter, withdrawer } from "./post-store.ts";
import type { CommandQueue } from "./queue.ts";

/** A command of a longer work that goes on by itself. */
export interface NewCommand {
  node_id: string;
  type: string;
  payload: Record<string, unknown>;
}

/** How works that go on by themselves send commands; both are part of the caller's transaction. */
export interface Post {
  /**
   * Sends one command to each of several nodes; gives their ids by node. A node that left the workspace gets none. At `endsAt` a
   * command has failed whose result did not come. All are of the same type.
   */
  post(
    tx: SystemTx,
    from: { tenant_id: string; member_id: string; endsAt: number },
    commands: readonly NewCommand[],
  ): Promise<Map<string, string>>;
  /** Takes back what has no result yet: whoever has not got it never does. */
  withdraw(tx: SystemTx, tenantId: string, ids: readonly string[]): Promise<void>;
  /** Takes back what no node was handed yet; gives how many that are. What was handed out goes on. */
  recall(tx: SystemTx, tenantId: string, ids: readonly string[]): Promise<number>;
}

/** Makes that. */
export function createPost({
  system,
  clock,
  ids,
  queue,
}: Pick<Needs, "system" | "clock" | "ids"> & { queue: Pick<CommandQueue, "add" | "forget"> }): Post {
  const write = postWriter(system.engine);
  const withdrawOpen = withdrawer(system.engine, "finished_at IS NULL");
  const withdrawQueued = withdrawer(system.engine, "status = 'queued'");
  return {
    async post(tx, { tenant_id, member_id, endsAt }, commands) {
      if (commands.length === 0) return new Map();
      const own = commands.map(({ node_id, type, payload }) => ({
        ...{ id: ids.next("cmd"), node_id, type, payload: JSON.stringify(payload) },
        ...{ created_by: member_id, created_at: clock.now(), expires_at: endsAt },
      }));
      const sent = await write(tx, tenant_id, own);
      tx.afterCommit(() => queue.add(sent));
      return new Map(sent.map(({ node_id, id }) => [node_id, id]));
    },
    async withdraw(tx, tenantId, commandIds) {
      const taken = await withdrawOpen(tx, tenantId, commandIds, clock.now());
      tx.afterCommit(() => queue.forget(taken));
    },
    async recall(tx, tenantId, commandIds) {
      const taken = await withdrawQueued(tx, tenantId, commandIds, clock.now());
      tx.afterCommit(() => queue.forget(taken));
      return taken.length;
    },
  };
}
