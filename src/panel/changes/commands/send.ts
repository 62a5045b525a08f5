import { toIso } from "../../../lib/clock.ts";
import { cutText } from "../../../lib/cut-text.ts";
import { hours } from "../../../lib/duration.ts";
import type { Actor } from "../../actor.ts";
import type { TenantFleet } from "../../agents/live/index.ts";
import { lockAssigned, updateAssigned } from "../../agents/nodes/index.ts";
import type { TenantTx } from "../../data/tenant-db.ts";
import { byMember } from "../../event-meaning.ts";
import { fleetFail } from "../../fleet/fleet/index.ts";
import {
  type Command,
  type CommandInput,
  type CommandStatus,
  type CommandsQuery,
  type CommandsSent,
  fail,
  SAID_MAX,
  TAGS_MAX,
  WAITING_MAX,
} from "./contract.ts";
import type { Needs } from "./needs.ts";
import type { CommandQueue } from "./queue.ts";
import type { CommandRate } from "./rate.ts";
import {
  type CommandRow,
  cancelCommand,
  findCommand,
  insertCommand,
  listCommands,
  type NamedCommandRow,
  nextGeneration,
} from "./store.ts";
import { readVerb, requireMaySend, type Verb } from "./verbs.ts";

/** What sending takes: of the queue, only what those who send have to do with it. */
type Deps = Pick<Needs, "clock" | "ids" | "version" | "live" | "bus" | "lists"> & {
  queue: Pick<CommandQueue, "add" | "claim" | "forget" | "waiting">;
  rate: CommandRate;
};
type Skip = CommandsSent["skipped"][number]["reason"];

/** A node that is away gets its commands when it comes back within a day. */
const LIFETIME_MS = hours(24);
const DEFAULT_LIMIT = 50;
/** Ids that an audit entry names. */
const AUDITED_IDS = 50;

interface Outcome {
  commands: CommandRow[];
  skipped: CommandsSent["skipped"];
  /** New tags by node. */
  tags: Map<string, string[]>;
}

/**
 * Sends a command to nodes. Those of other workspaces, and those with too many commands waiting, are named as skipped. Throws
 * `command_unknown`, `invalid_request`, `permission_missing`, `too_many_requests`, `node_not_found` when none of the nodes exists.
 */
export async function sendCommand(deps: Deps, actor: Actor, ip: string, input: CommandInput): Promise<CommandsSent> {
  const verb = readVerb(input.command, input.params ?? {}, deps.version);
  requireMaySend(actor, verb.payload);
  // In one order, so that two calls at once do not wait for each other.
  const targets = [...new Set(input.instance_ids)].sort();
  const own = deps.live.fleetOf(actor);
  // What the workspace does not have costs no statement: it counts for no rate, and would keep everybody else from writing.
  const there = targets.filter((id) => own.get(id));
  if (there.length === 0) throw fleetFail("node_not_found", { id: targets.join(", ") });
  deps.rate.take(actor, own.nodes().length, there.length);
  const { commands, skipped } = await actor.db.tx(async (tx) => {
    const missing = targets.filter((id) => !own.get(id));
    const outcome: Outcome = {
      commands: [],
      skipped: missing.map((id) => ({ instance_id: id, reason: "not_found" })),
      tags: new Map(),
    };
    for (const nodeId of there) {
      const skip = await sendToNode(deps, actor, tx, verb, nodeId, outcome);
      if (skip) outcome.skipped.push({ instance_id: nodeId, reason: skip });
    }
    if (outcome.skipped.every(({ reason }) => reason === "not_found") && outcome.commands.length === 0)
      throw fleetFail("node_not_found", { id: targets.join(", ") });
    await deps.bus.emit(tx, "fleet.command", {
      by: byMember(actor, ip),
      node_id: targets[0] ?? "",
      command: verb.type,
      params: verb.payload,
      instances: outcome.commands.length,
      instance_ids: outcome.commands.slice(0, AUDITED_IDS).map(({ node_id }) => node_id),
    });
    tx.afterCommit(() => publish(deps, actor, outcome));
    return outcome;
  });
  return { commands: commands.map(({ id, node_id, status }) => ({ id, instance_id: node_id, status })), skipped };
}

/** Why the node gets none, or null. */
async function sendToNode(
  { clock, ids, queue, live }: Deps,
  actor: Actor,
  tx: TenantTx,
  verb: Verb,
  nodeId: string,
  outcome: Outcome,
): Promise<Skip | null> {
  const now = clock.now();
  const generation = await nextGeneration(tx, nodeId, verb.type, now);
  if (generation === null) return "not_found";
  if (!verb.isOurs && queue.waiting(nodeId) >= WAITING_MAX) return "queue_full";
  const payload = payloadFor(live.fleetOf(actor), verb, nodeId);
  if (!payload) return "app_not_found";
  const skip = verb.isOurs ? await changeTags(tx, verb, nodeId, outcome) : null;
  if (skip) return skip;
  const status: CommandStatus = verb.isOurs ? "succeeded" : "queued";
  const row: CommandRow = {
    id: ids.next("cmd"),
    node_id: nodeId,
    type: verb.type,
    payload: JSON.stringify(payload),
    generation,
    status,
    output: null,
    is_output_cut: 0,
    error: null,
    created_by: actor.member_id,
    created_at: now,
    expires_at: now + LIFETIME_MS,
    sent_at: null,
    finished_at: verb.isOurs ? now : null,
  };
  await insertCommand(tx, row);
  outcome.commands.push(row);
  return null;
}

/** What a node is told: an app that was meant by its name gets the id that it has there. Null when the node has no such app. */
function payloadFor(fleet: TenantFleet, { payload }: Verb, nodeId: string): Record<string, unknown> | null {
  const { app: name, ...rest } = payload;
  if (name === undefined) return payload;
  const app = fleet.get(nodeId)?.apps.find((one) => one.name === name);
  return app ? { ...rest, app_id: app.app_id } : null;
}

async function changeTags(tx: TenantTx, verb: Verb, nodeId: string, outcome: Outcome): Promise<Skip | null> {
  const given = verb.payload["tags"];
  const named = new Set(Array.isArray(given) ? given.map(String) : []);
  const before = await lockAssigned(tx, nodeId);
  if (!before) return "not_found";
  const tags =
    verb.type === "tag" ? [...new Set([...before.tags, ...named])] : before.tags.filter((tag) => !named.has(tag));
  if (tags.length > TAGS_MAX) return "too_many_tags";
  await updateAssigned(tx, nodeId, { ...before, tags });
  outcome.tags.set(nodeId, tags);
  return null;
}

/** What is committed becomes known: to the nodes that are to do it, and to whoever lists them. */
function publish({ queue, live }: Deps, actor: Actor, outcome: Outcome): void {
  const queued = outcome.commands.filter(({ status }) => status === "queued");
  queue.add(queued.map((row) => ({ ...row, status: "queued", tenant_id: actor.tenant_id })));
  for (const [nodeId, tags] of outcome.tags) {
    const facts = live.fleetOf(actor).get(nodeId);
    if (facts) live.put({ ...facts, tags });
  }
}

const present = (
  fleet: TenantFleet,
  { node_id, type, payload, generation: _, created_by_name, is_output_cut, ...row }: NamedCommandRow,
): Command => ({
  ...row,
  output_truncated: is_output_cut === 1,
  created_by_name,
  instance_id: node_id,
  hostname: fleet.get(node_id)?.hostname ?? null,
  command: type,
  params: JSON.parse(payload),
  created_at: toIso(row.created_at),
  expires_at: toIso(row.expires_at),
  sent_at: row.sent_at === null ? null : toIso(row.sent_at),
  finished_at: row.finished_at === null ? null : toIso(row.finished_at),
});

/** Where the names of those who sent commands stand. */
const membersOf = ({ lists }: Pick<Deps, "lists">) => lists.names.all().filter(({ kind }) => kind === "member");

/** Commands of the workspace, the newest first, with the beginning of what each node said. */
export async function listSent(deps: Deps, actor: Actor, query: CommandsQuery): Promise<Command[]> {
  const { instance_id, status, before, limit } = query;
  const filter = { nodeId: instance_id ?? null, status: status ?? null, before: before ?? null };
  const rows = await listCommands(actor.db, membersOf(deps), { ...filter, limit: limit ?? DEFAULT_LIMIT });
  const fleet = deps.live.fleetOf(actor);
  return rows.map((row) => present(fleet, { ...row, error: row.error === null ? null : cutText(row.error, SAID_MAX) }));
}

/** One command with what became of it. Throws `command_not_found`. */
export async function getSent(deps: Deps, actor: Actor, id: string): Promise<Command> {
  const row = await findCommand(actor.db, membersOf(deps), id);
  if (!row) throw fail("command_not_found", { id });
  return present(deps.live.fleetOf(actor), row);
}

/** Takes back a command that its node has not got yet. Throws `command_not_found`, `command_under_way`. */
export async function cancelSent(deps: Deps, actor: Actor, ip: string, id: string): Promise<Command> {
  const row = await findCommand(actor.db, membersOf(deps), id);
  if (!row) throw fail("command_not_found", { id });
  // Out of the node's reach first: what it has got cannot be taken back any more.
  const claimed = deps.queue.claim(row.node_id, id);
  if (!claimed) throw fail("command_under_way", { status: row.status === "queued" ? "sent" : row.status });
  const now = deps.clock.now();
  try {
    await actor.db.tx(async (tx) => {
      await cancelCommand(tx, id, now);
      await deps.bus.emit(tx, "fleet.command.cancel", {
        by: byMember(actor, ip),
        node_id: row.node_id,
        command: row.type,
        command_id: id,
      });
    });
  } catch (error) {
    deps.queue.add([claimed]);
    throw error;
  }
  deps.queue.forget([claimed]);
  return present(deps.live.fleetOf(actor), { ...row, status: "cancelled", finished_at: now });
}
