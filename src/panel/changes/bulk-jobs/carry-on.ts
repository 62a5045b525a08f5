import { setImmediate } from "node:timers/promises";
import { Value } from "@sinclair/typebox/value";
import type { NodeFacts } from "../../agents/live/index.ts";
import { lockAssigned, lockGroup, updateAssigned } from "../../agents/nodes/index.ts";
import { narrow, type SystemTx } from "../../data/tenant-db.ts";
import type { NewCommand } from "../commands/index.ts";
import { TAGS_MAX } from "./contract.ts";
import { createDue } from "./due.ts";
import type { Needs } from "./needs.ts";
import { Plan } from "./plan.ts";
import { itemWriter, type JobRow, listNext, lockOpen, type Result, settleItems, updateJob } from "./store.ts";

/** Nodes that something is begun on in one round: all in all, and of one job in one transaction. */
const PER_ROUND = 10_000;
const AT_ONCE = 500;

const GONE = "The node is not in this workspace any more.";
const TOO_LATE = "The workspace was suspended until the job's time was over.";

/** The job when this much was done to it: it is over once nothing of it is left. */
export function progressed(job: JobRow, results: readonly Pick<Result, "status">[], now: number): JobRow {
  const count = (status: Result["status"]): number => results.filter((result) => result.status === status).length;
  const next = {
    ...job,
    succeeded: job.succeeded + count("succeeded"),
    failed: job.failed + count("failed"),
    cancelled: job.cancelled + count("cancelled"),
    updated_at: results.length > 0 ? now : job.updated_at,
  };
  if (next.succeeded + next.failed + next.cancelled < next.total) return next;
  const end = next.succeeded === next.total ? "succeeded" : next.succeeded === 0 ? "failed" : "partial";
  return { ...next, status: job.status === "running" ? end : job.status, finished_at: now };
}

/**
 * Makes the function that brings every job with something to do one round further. All workspaces share a round evenly, so that one with
 * ten thousand nodes does not keep another waiting. What a round does to a job is one transaction: a program that is killed has done it, or
 * has not.
 */
export function createRounds(needs: Omit<Needs, "fleet">): (signal: AbortSignal) => Promise<void> {
  const { system, clock, log, isCurrent } = needs;
  const writer = itemWriter(system.engine);
  const due = createDue(system, needs.commands);

  /** Gives how many nodes were begun on, and whether there may be more to do. */
  async function round(tenantId: string, id: string, room: number): Promise<{ begun: number; isMore: boolean }> {
    return system.tx(async (tx) => {
      const job = await lockOpen(tx, tenantId, id);
      if (!job) return { begun: 0, isMore: false };
      const settled = await settleItems(tx, job, AT_ONCE);
      // Nobody of a suspended workspace could stop it.
      const isGoing = job.status === "running" && room > 0 && !(await needs.tenants.isSuspended(tenantId, tx));
      const next = isGoing ? await listNext(tx, job, Math.min(room, AT_ONCE)) : [];
      const results = next.length === 0 ? [] : await begin(tx, job, next);
      const now = clock.now();
      await writer.update(tx, job, results, now);
      const done = { begun: next.length, isMore: Math.max(next.length, settled.length) === AT_ONCE };
      if (settled.length + results.length === 0) return done;
      const after = progressed({ ...job, next_no: job.next_no + next.length }, [...settled, ...results], now);
      await updateJob(tx, after);
      return done;
    });
  }

  /** Does what the job does to some of its nodes. */
  async function begin(
    tx: SystemTx,
    job: JobRow,
    items: readonly { no: number; node_id: string }[],
  ): Promise<Result[]> {
    if (job.ends_at <= clock.now())
      return items.map(({ no }) => ({ no, status: "failed", command_id: null, error: TOO_LATE }));
    const plan: unknown = JSON.parse(job.plan);
    if (!Value.Check(Plan, plan)) throw new Error(`job ${job.id} has a plan that nobody can read`);
    if (plan.does === "command") return send(tx, job, plan, items);
    return change(tx, job, plan, items);
  }

  async function send(
    tx: SystemTx,
    { tenant_id, created_by, ends_at }: JobRow,
    { type, payload, app }: Extract<Plan, { does: "command" }>,
    items: readonly { no: number; node_id: string }[],
  ): Promise<Result[]> {
    const fleet = needs.live.of(tenant_id);
    const told = items.map(({ node_id }) => commandFor(fleet.get(node_id) ?? null, { type, payload, app }));
    const commands = told.filter((one): one is NewCommand => typeof one !== "string");
    const from = { tenant_id, member_id: created_by, endsAt: ends_at };
    const sent = await needs.commands.post(tx, from, commands);
    return items.map(({ no, node_id }, index) => {
      const why = told[index];
      const command_id = sent.get(node_id) ?? null;
      if (command_id !== null) return { no, status: "sent", command_id, error: null };
      return { no, status: "failed", command_id, error: typeof why === "string" ? why : GONE };
    });
  }

  /** What this panel does itself, because nodes keep nothing of it. */
  async function change(
    tx: SystemTx,
    { tenant_id }: JobRow,
    plan: Exclude<Plan, { does: "command" }>,
    items: readonly { no: number; node_id: string }[],
  ): Promise<Result[]> {
    const own = narrow(tx, tenant_id);
    const isGroupGone = plan.does === "group" && plan.group_id !== null && !(await lockGroup(own, plan.group_id));
    const results: Result[] = [];
    for (const { no, node_id } of items) {
      const error = isGroupGone ? "The group was deleted meanwhile." : await changeNode(own, plan, node_id);
      results.push({ no, status: error === null ? "succeeded" : "failed", command_id: null, error });
    }
    return results;
  }

  /** Changes one node; gives why it could not, or null. */
  async function changeNode(
    tx: ReturnType<typeof narrow>,
    plan: Exclude<Plan, { does: "command" }>,
    nodeId: string,
  ): Promise<string | null> {
    if (plan.does === "remove") return (await needs.nodes.deleteNode(tx, nodeId)) === null ? GONE : null;
    const before = await lockAssigned(tx, nodeId);
    if (!before) return GONE;
    const after = plan.does === "group" ? { group_id: plan.group_id } : { tags: retag(before.tags, plan) };
    if (after.tags !== undefined && after.tags.length > TAGS_MAX)
      return `It would have more than ${TAGS_MAX} tags. Take some off it first.`;
    await updateAssigned(tx, nodeId, { ...before, ...after });
    tx.afterCommit(() => {
      const facts = needs.live.of(tx.tenant_id).get(nodeId);
      if (facts) needs.live.put({ ...facts, ...after });
    });
    return null;
  }

  return async (signal) => {
    const tenants = await due();
    const share = Math.floor(PER_ROUND / Math.max(1, tenants.size));
    for (const [tenantId, own] of tenants) {
      let room = Math.max(1, share);
      for (const id of own) {
        if (signal.aborted || !isCurrent()) return;
        try {
          for (let isMore = true; isMore && !signal.aborted; await setImmediate()) {
            const done = await round(tenantId, id, room);
            room -= done.begun;
            isMore = done.isMore;
          }
        } catch (error) {
          log.error("a bulk job could not be carried on; it is tried again", { job_id: id, error });
        }
      }
    }
  };
}

/** What a node is told, or why it is told nothing. */
function commandFor(
  node: NodeFacts | null,
  { type, payload, app }: Pick<Extract<Plan, { does: "command" }>, "type" | "payload" | "app">,
): NewCommand | string {
  if (node === null) return GONE;
  if (app === null) return { node_id: node.id, type, payload };
  const found = node.apps.find(({ name }) => name === app);
  return found
    ? { node_id: node.id, type, payload: { ...payload, app_id: found.app_id } }
    : `It has no app called ${app}.`;
}

const retag = (tags: readonly string[], { add, drop }: Extract<Plan, { does: "tag" }>): string[] =>
  [...new Set([...tags, ...add])].filter((tag) => !drop.includes(tag));
