import { hours } from "../../../lib/duration.ts";
import { giveWay } from "../../../lib/fair-turns.ts";
import { createKeyedGate } from "../../../lib/keyed-gate.ts";
import type { SystemDb, SystemTx } from "../../data/tenant-db.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import { byAgent } from "../../event-meaning.ts";
import type { NewCommand } from "../commands/index.ts";
import { type Decided, decideAndKeep, Overtaken } from "./attempts.ts";
import type { Action, Effect, Refusal, Rollout, Step } from "./engine/model.ts";
import { isOpen } from "./engine/model.ts";
import { REVERT_WAIT_MS } from "./engine/rollback.ts";
import { refuse, step } from "./engine/step.ts";
import { createErrorSamples } from "./error-samples.ts";
import { readFacts } from "./facts.ts";
import { includesRollouts } from "./included.ts";
import type { Needs } from "./needs.ts";
import {
  type FollowedRow,
  findForStep,
  insertTimeline,
  listForStep,
  lockRollout,
  type NodeRow,
  nodeWriter,
  type RolloutRow,
  updateRollout,
} from "./store.ts";
import { headOf, nodeRowOf, type Plan, planOfRow, progressOf, rolloutOf } from "./stored.ts";
import { isUnderWay } from "./tally-store.ts";

/** Whose doing a step is. */
export interface Doer {
  by: PanelEvent["by"];
  member_id: string;
  comment: string | null;
}

/** What a step came to: the state after it, or why it was not possible. Null for a rollout that is not there. */
export type Followed = { state: Rollout["state"] } | (Refusal & { state: Rollout["state"] }) | null;

/** Tells what a member did, in the transaction of the step. */
type OnStep = (tx: SystemTx, row: RolloutRow) => Promise<void>;

/** Longer than a node is waited for: the engine takes the command back itself. */
const COMMAND_MS = hours(24);
/** Nodes that are read at one go. */
const PAGE = 500;

/** Ids of commands that a step sent to a node. */
type Sent = Partial<Pick<NodeRow, "command_id" | "revert_id">>;

/** What is to happen to a rollout. */
export interface Asked {
  tenant_id: string;
  id: string;
  action: Action;
  doer: Doer | null;
  onStep?: OnStep;
}

/** Steps a rollout with the database of whoever decides about it: what a member does is undone when their access ends meanwhile. */
export type Follow = (db: SystemDb, asked: Asked) => Promise<Followed>;

/**
 * Makes the function that steps a rollout: reads it, asks the engine, and keeps what comes of it in one transaction, unless another step
 * came first. What an account does to a rollout it does one after the other.
 */
export function createFollower({
  system: { engine },
  clock,
  ...needs
}: Pick<Needs, "system" | "clock" | "live" | "tenants" | "commands" | "bus" | "takeTurn">): Follow {
  const writer = nodeWriter(engine);
  const errors = createErrorSamples();
  const began = clock.monotonic();
  const pass = createKeyedGate();

  /** What a workspace may at this moment. */
  const readRights = async (from: SystemDb | SystemTx, tenantId: string) => ({
    is_included: includesRollouts(await needs.tenants.findPlan(tenantId, from)),
    is_suspended: await needs.tenants.isSuspended(tenantId, from),
  });

  async function decide(
    from: SystemDb | SystemTx,
    { tenant_id, id, action, doer, onStep }: Asked,
    othersFirst: () => Promise<void>,
  ): Promise<Decided<Followed>> {
    const row = await findForStep(from, tenant_id, id);
    if (!row) return { answer: null };
    const rights = await readRights(from, tenant_id);
    // Whatever is refused is so before thousands of nodes are read for it.
    const is_under_way = action.kind === "promote" && (await isUnderWay(from, tenant_id, id));
    const refused = refuse(headOf(row), action, { is_included: rights.is_included, is_under_way });
    if (refused) return { answer: { ...refused, state: row.state } };
    const rows = await readNodes(from, tenant_id, id, othersFirst);
    const before = rolloutOf(row, rows);
    const facts = readFacts(needs.live.of(tenant_id), id, rows, errors, {
      ...{ now: clock.now(), listened_ms: clock.monotonic() - began },
      ...rights,
    });
    const made = step(before, action, facts);
    if ("refused" in made) return { answer: { ...made, state: row.state } };
    return {
      async keep(tx) {
        if (!Bun.deepEquals(await readRights(tx, tenant_id), rights)) throw new Overtaken();
        await keep(tx, row, rows, before, made, doer);
        await onStep?.(tx, row);
        tx.afterCommit(() => {
          if (!isOpen(made.rollout)) errors.forget(id);
        });
        return { state: made.rollout.state };
      },
    };
  }

  async function keep(
    tx: SystemTx,
    row: RolloutRow,
    rows: readonly FollowedRow[],
    before: Rollout,
    { rollout, effects }: Step,
    doer: Doer | null,
  ): Promise<void> {
    const open = isOpen(rollout);
    const isKept = await updateRollout(tx, {
      ...{ tenant_id: row.tenant_id, id: row.id, version: row.version },
      ...{ state: rollout.state, stage: rollout.stage, is_started: rollout.is_started ? 1 : 0, is_open: open ? 1 : 0 },
      progress: JSON.stringify(progressOf(rollout)),
      finished_at: open ? null : (row.finished_at ?? clock.now()),
    });
    if (!isKept) throw new Overtaken();
    const sent = await send(tx, row, rows, { rollout, effects });
    const changed = rollout.nodes.flatMap((node, index) => {
      const own = rows[index];
      if (!own || (node === before.nodes[index] && !sent.has(node.id))) return [];
      return [nodeRowOf(own, node, { command_id: own.command_id, revert_id: own.revert_id, ...sent.get(node.id) })];
    });
    await writer.update(tx, row.tenant_id, row.id, changed);
    await tell(tx, row, before, rollout, effects, doer);
  }

  /** Sends what the step sends, and takes back what it takes back; gives the ids of new commands by node. */
  async function send(
    tx: SystemTx,
    row: RolloutRow,
    rows: readonly FollowedRow[],
    { rollout, effects }: Step,
  ): Promise<Map<string, Sent>> {
    const byId = new Map(rows.map((one) => [one.node_id, one]));
    const nodesOf = (kind: "dispatch" | "revert" | "withdraw") =>
      effects.flatMap((effect) => (effect.kind === kind ? (byId.get(effect.node_id) ?? []) : []));
    const withdrawn = nodesOf("withdraw").flatMap(({ command_id }) => command_id ?? []);
    if (withdrawn.length > 0) await needs.commands.withdraw(tx, row.tenant_id, withdrawn);
    const plan = planOfRow(row);
    const from = { tenant_id: row.tenant_id, member_id: row.created_by };
    const ahead = nodesOf("dispatch").map((node) => forwardOf(row, plan, node));
    const back = nodesOf("revert").map((node) => revertOf(row, plan, rollout, node));
    const now = clock.now();
    const forward = await needs.commands.post(tx, { ...from, endsAt: now + COMMAND_MS }, ahead);
    const revert = await needs.commands.post(tx, { ...from, endsAt: now + REVERT_WAIT_MS }, back);
    const sent = new Map<string, Sent>();
    for (const [id, command_id] of forward) sent.set(id, { command_id });
    for (const [id, revert_id] of revert) sent.set(id, { revert_id });
    return sent;
  }

  async function tell(
    tx: SystemTx,
    { tenant_id, id, name }: RolloutRow,
    before: Rollout,
    after: Rollout,
    effects: readonly Effect[],
    doer: Doer | null,
  ): Promise<void> {
    const notes = effects.flatMap((effect) => (effect.kind === "note" ? [effect.note] : []));
    const lines = notes.map((note, index) => ({
      ...{
        at: clock.now(),
        kind: note.kind,
        stage: note.stage,
        text: note.text,
        from_state: note.from,
        to_state: note.to,
      },
      // The first line is what somebody did; what follows from it happens by itself.
      ...(index === 0 && doer
        ? { member_id: doer.member_id, comment: doer.comment }
        : { member_id: null, comment: null }),
    }));
    if (lines.length > 0) await insertTimeline(tx, tenant_id, id, lines);
    if (before.state === "paused" && after.state !== "paused")
      await needs.bus.emit(tx, "fleet.rollout.unstop", { by: byAgent(tenant_id, ""), rollout_id: id, name });
    const isByItself = doer === null || after.state === "paused";
    if (after.state === before.state || !isByItself || after.reason?.cause === "manual") return;
    const text = after.reason?.text ?? notes.at(-1)?.text ?? "";
    await needs.bus.emit(tx, "fleet.rollout.state", {
      by: byAgent(tenant_id, ""),
      ...{ rollout_id: id, name, state: after.state, text },
    });
    if (after.state === "paused" && after.reason !== null) {
      const { text: _, ...reason } = after.reason;
      const told = { rollout_id: id, name, text, reason };
      await needs.bus.emit(tx, "fleet.rollout.stop", { by: byAgent(tenant_id, ""), ...told });
    }
  }

  return (db, asked) => {
    const { tenant_id, id, doer } = asked;
    const account = doer?.by.account_id ?? "";
    const othersFirst = () => giveWay(needs.takeTurn, [tenant_id, account]);
    return pass(`${id}\n${account}`, () =>
      decideAndKeep(
        db,
        (from) => decide(from, asked, from === db ? othersFirst : async () => {}),
        (tx) => lockRollout(tx, tenant_id, id),
      ),
    );
  };
}

/** All nodes of a rollout. Before each page others have their turn; what is read is whole if the rollout's version is the same in the end. */
async function readNodes(
  from: SystemDb | SystemTx,
  tenantId: string,
  id: string,
  othersFirst: () => Promise<void>,
): Promise<FollowedRow[]> {
  const rows: FollowedRow[] = [];
  while (true) {
    await othersFirst();
    const page = await listForStep(from, tenantId, id, { after: rows.at(-1)?.rank ?? -1, limit: PAGE });
    rows.push(...page);
    if (page.length < PAGE) return rows;
  }
}

function forwardOf({ kind, target_version }: RolloutRow, { action }: Plan, node: NodeRow): NewCommand {
  if (kind === "os_version" || !action)
    return { node_id: node.node_id, type: "update.apply", payload: { version: target_version } };
  return { node_id: node.node_id, type: action.command_type, payload: payloadFor(action.payload, node) };
}

function revertOf(
  { target_version }: RolloutRow,
  { action }: Plan,
  { from_any_version }: Rollout,
  node: NodeRow,
): NewCommand {
  if (!action)
    return {
      ...{ node_id: node.node_id, type: "update.apply" },
      payload: {
        ...{ version: node.from_version, allow_older: true },
        // It may wait for the node for weeks, and something else be installed there meanwhile.
        ...(from_any_version ? {} : { only_from: target_version }),
      },
    };
  return {
    ...{ node_id: node.node_id, type: action.rollback_command_type },
    payload: payloadFor(action.rollback_payload, node),
  };
}

/** An app that was meant by its name has another id on each node. */
function payloadFor(payload: Record<string, unknown> = {}, { app_id }: NodeRow): Record<string, unknown> {
  const { app, ...rest } = payload;
  return app === undefined ? payload : { ...rest, app_id };
}
