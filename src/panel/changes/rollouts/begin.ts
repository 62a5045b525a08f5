import type { Actor } from "../../actor.ts";
import type { NodeFacts, TenantFleet } from "../../agents/live/index.ts";
import type { SystemDb, SystemTx } from "../../data/tenant-db.ts";
import { type By, byMember, byPanel } from "../../event-meaning.ts";
import { assertFilterSize } from "../../filter-size.ts";
import { fleetFail } from "../../fleet/fleet/index.ts";
import { groupFail } from "../../fleet/fleet-groups/index.ts";
import { checkAction } from "./actions.ts";
import { type Decided, decideAndKeep, Overtaken } from "./attempts.ts";
import {
  type CanaryInput,
  type Filter,
  type FilterInput,
  fail,
  NODES_MAX,
  OPEN_MAX,
  PICKED_MAX,
  type RolloutInput,
  type RolloutPreview,
} from "./contract.ts";
import { isOnline } from "./facts.ts";
import type { Follow } from "./follow.ts";
import { includesRollouts, planRefusal } from "./included.ts";
import type { Needs } from "./needs.ts";
import { placeNodes, stageTargets } from "./selection.ts";
import {
  insertRollout,
  insertTimeline,
  listBusyNodes,
  listGroupIds,
  type NodeRow,
  nodeWriter,
  readOpen,
} from "./store.ts";
import { BEGINNING, type Plan } from "./stored.ts";

type Deps = Pick<Needs, "system" | "clock" | "ids" | "live" | "tenants" | "bus" | "commands"> & {
  follow: Follow;
};

const DEFAULT_STAGES = [1, 10, 50, 100];
const DEFAULT_SOAK_SEC = 900;
const DEFAULT_GATES = { max_error_rate: 0.5, max_cpu_p95: 80, max_failed_boots: 0, max_heartbeat_loss: 0 };
const CANARY_PERCENT = 10;
/** Hostnames that a preview names of each stage. */
const NAMED = 5;

/** Throws `node_not_found` and `group_not_found` for what the workspace does not have. */
async function checkFilter({ live }: Pick<Deps, "live">, actor: Actor, filter: RolloutInput["filter"]): Promise<void> {
  const fleet = live.fleetOf(actor);
  const strange = filter?.instance_ids?.find((id) => !fleet.get(id));
  if (strange !== undefined) throw fleetFail("node_not_found", { id: strange });
  if (!filter?.group_ids?.length) return;
  const groups = await listGroupIds(actor.db);
  const other = filter.group_ids.find((id) => !groups.has(id));
  if (other !== undefined) throw groupFail("group_not_found", { id: other });
}

interface Chosen {
  nodes: NodeFacts[];
  left_out: RolloutPreview["left_out"];
}

/** Reads what is asked for. Throws `rollout_stages_invalid`, `rollout_action_missing`, `rollout_action_invalid`. */
function readPlan({ kind, stages = DEFAULT_STAGES, action, ...input }: RolloutInput): Plan {
  if (stages.at(-1) !== 100 || stages.some((share, index) => share <= (stages[index - 1] ?? 0)))
    throw fail("rollout_stages_invalid");
  const filter = readFilter(input.filter ?? {});
  return {
    stages,
    soak_sec: input.soak_sec ?? DEFAULT_SOAK_SEC,
    gates: { ...DEFAULT_GATES, ...input.gates },
    filter,
    auto_promote: input.auto_promote ?? false,
    action: checkAction(kind, action),
    seed: input.seed ?? "",
  };
}

/** Each value once. Throws `invalid_request` for more than can be told again. */
function readFilter({ group_ids, regions, tags, instance_ids }: FilterInput): Filter {
  const picked = { group_ids: [...new Set(group_ids)], regions: [...new Set(regions)], tags: [...new Set(tags)] };
  assertFilterSize("filter", picked);
  return { ...picked, instance_ids: [...new Set(instance_ids)] };
}

/** The plan as it is kept: who takes part is kept by itself, so of the nodes that were named the first ones do. */
const toKeep = ({ filter, ...plan }: Plan): Plan => ({
  ...plan,
  filter: {
    ...filter,
    instance_ids: filter.instance_ids.slice(0, PICKED_MAX),
    instance_count: filter.instance_ids.length,
  },
});

/** Those that match and can take part. */
function choose(fleet: TenantFleet, input: RolloutInput, plan: Plan, busy: ReadonlySet<string>): Chosen {
  const chosen: Chosen = { nodes: [], left_out: { offline: 0, on_target: 0, busy: 0, without_app: 0 } };
  const app = plan.action?.payload?.["app"];
  const matches = matcher(plan.filter);
  for (const node of fleet.nodes()) {
    if (!matches(node)) continue;
    if (!isOnline(fleet, node)) chosen.left_out.offline += 1;
    else if (input.kind === "os_version" && node.version === input.target_version) chosen.left_out.on_target += 1;
    else if (busy.has(node.id)) chosen.left_out.busy += 1;
    else if (app !== undefined && !node.apps.some(({ name }) => name === app)) chosen.left_out.without_app += 1;
    else chosen.nodes.push(node);
  }
  return chosen;
}

function matcher({ group_ids, regions, tags, instance_ids }: Filter): (node: NodeFacts) => boolean {
  const groups = new Set(group_ids);
  const places = new Set(regions);
  const ids = new Set(instance_ids);
  return (node) =>
    (groups.size === 0 || (node.group_id !== null && groups.has(node.group_id))) &&
    (places.size === 0 || places.has(node.region ?? "unknown")) &&
    tags.every((tag) => node.tags.includes(tag)) &&
    (ids.size === 0 || ids.has(node.id));
}

/** Who would take part now, in which stage. Throws what beginning it throws, but for the plan and for nobody. */
export async function previewRollout(deps: Deps, actor: Actor, input: RolloutInput): Promise<RolloutPreview> {
  const plan = readPlan(input);
  await checkFilter(deps, actor, input.filter);
  const fleet = deps.live.fleetOf(actor);
  const busy = await listBusyNodes(deps.system.by(actor), actor.tenant_id);
  const { nodes, left_out } = choose(fleet, input, plan, busy);
  const names = new Map(nodes.map(({ id, hostname }) => [id, hostname]));
  const placed = placeNodes([...names.keys()], plan.stages, plan.seed);
  const targets = stageTargets(plan.stages, nodes.length);
  const stages = plan.stages.map((percent, stage) => {
    const own = placed.filter((node) => node.stage === stage);
    const first = own.slice(0, NAMED).map(({ id }) => names.get(id) ?? id);
    return { percent, target_nodes: targets[stage] ?? 0, nodes: own.length, first };
  });
  return { nodes: nodes.length, stages, left_out };
}

/**
 * Begins a rollout: freezes who takes part, and sends the first stage. Gives its id. Throws `upgrade_required`, `too_many_rollouts`,
 * `rollout_no_nodes`, `rollout_too_large`, `too_many_requests`, and what reading it throws.
 */
export async function beginRollout(
  deps: Deps,
  actor: Actor,
  ip: string,
  input: RolloutInput,
  isLegacy = false,
): Promise<string> {
  await checkFilter(deps, actor, input.filter);
  return begin(deps, deps.system.by(actor), { by: byMember(actor, ip), doer: actor }, input, isLegacy);
}

/** The same in the panel's own name; the nodes of the filter are taken as they are named. */
export const beginOwnRollout = (deps: Deps, tenantId: string, input: RolloutInput): Promise<string> =>
  begin(deps, deps.system, { by: byPanel(tenantId), doer: null }, input, false);

async function begin(deps: Deps, db: SystemDb, whose: Whose, input: RolloutInput, isLegacy: boolean): Promise<string> {
  const { tenant_id, account_id } = whose.by;
  const stored = await deps.tenants.findPlan(tenant_id, db);
  if (!includesRollouts(stored)) throw planRefusal(stored);
  const beginning: Beginning = { input, plan: readPlan(input), id: deps.ids.next("rol"), isLegacy };
  await decideAndKeep(
    db,
    (from) => decide(deps, from, whose, beginning),
    (tx) => deps.tenants.lockMembers(tx, tenant_id),
  );
  // It is begun, whatever its beginner may still do.
  const action = { kind: "look" } as const;
  const own = deps.system.onBehalfOf([tenant_id, account_id]);
  await deps.follow(own, { tenant_id, id: beginning.id, action, doer: null });
  return beginning.id;
}

/** In whose name, and whose doing it is: nobody's where the panel begins it by itself. */
interface Whose {
  by: By;
  doer: Actor | null;
}

interface Beginning {
  input: RolloutInput;
  plan: Plan;
  id: string;
  isLegacy: boolean;
}

/** Chooses who takes part. What is refused is so before anything is written. */
async function decide(
  deps: Deps,
  from: SystemDb | SystemTx,
  { by, doer }: Whose,
  beginning: Beginning,
): Promise<Decided<void>> {
  const { tenant_id } = by;
  const { input, plan } = beginning;
  const { count, mark } = await readOpen(from, tenant_id);
  if (count >= OPEN_MAX) throw fail("too_many_rollouts", { limit: OPEN_MAX });
  const fleet = deps.live.of(tenant_id);
  const { nodes, left_out } = choose(fleet, input, plan, await listBusyNodes(from, tenant_id));
  if (nodes.length === 0) throw fail("rollout_no_nodes", { ...left_out, version: input.target_version });
  if (nodes.length > NODES_MAX) throw fail("rollout_too_large", { nodes: nodes.length, limit: NODES_MAX });
  const rows = place(fleet, nodes, plan);
  return {
    async keep(tx) {
      // Of two that begin in the same instant the second sees which nodes the first has taken.
      await deps.tenants.lockMembers(tx, tenant_id);
      if (tx !== from && (await readOpen(tx, tenant_id)).mark !== mark) throw new Overtaken();
      // What the panel begins by itself is as much as there are releases.
      if (doer) deps.commands.rate.take(doer, fleet.nodes().length, nodes.length);
      await insertWhole(deps, tx, by, beginning, rows);
    },
  };
}

/** The nodes that take part in their order, each with its stage, as they are now. */
function place(fleet: TenantFleet, nodes: readonly NodeFacts[], { stages, seed, action }: Plan): NodeRow[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const app = action?.payload?.["app"];
  return placeNodes([...byId.keys()], stages, seed).flatMap(({ id: node_id, rank, stage }) => {
    const node = byId.get(node_id);
    if (!node) return [];
    const app_id = node.apps.find((one) => one.name === app)?.app_id ?? null;
    return [
      {
        ...{ rank, node_id, stage, hostname: node.hostname, from_version: node.version, app_id },
        has_error_rate: Number.isNaN(fleet.figures(node.no).error_rate) ? 0 : 1,
        ...{ has_cpu: Number.isNaN(fleet.figures(node.no).cpu) ? 0 : 1, state: "pending" as const, since_ms: 0 },
        ...{ done_at: null, is_excused: 0, is_away: 0, detail: null, command_id: null, revert_id: null },
      },
    ];
  });
}

async function insertWhole(
  { clock, bus, system: { engine } }: Deps,
  tx: SystemTx,
  by: By,
  { input, plan, id, isLegacy }: Beginning,
  rows: readonly NodeRow[],
): Promise<void> {
  const { tenant_id, member_id } = by;
  const now = clock.now();
  const { name, kind, target_version } = input;
  await insertRollout(tx, {
    ...{ tenant_id, id, name, kind, target_version, plan: JSON.stringify(toKeep(plan)), is_legacy: isLegacy ? 1 : 0 },
    ...{ state: "running", stage: 0, is_started: 0, is_open: 1, progress: JSON.stringify(BEGINNING), version: 0 },
    ...{ nodes: rows.length, created_by: member_id, created_at: now, finished_at: null },
  });
  await nodeWriter(engine).insert(tx, tenant_id, id, rows);
  const text = `${name}: ${rows.length} nodes to ${target_version}`;
  const line = { at: now, kind: "created", stage: 0, text, from_state: "running", to_state: "running" } as const;
  await insertTimeline(tx, tenant_id, id, [{ ...line, member_id, comment: null }]);
  await bus.emit(tx, "fleet.rollout.create", {
    by,
    ...{ rollout_id: id, name, kind, target_version, nodes: rows.length },
  });
}

/** An older canary deployment: a share first, then everybody, each by somebody's word. */
export const canaryInput = ({ name, target_version, canary_percent, filter }: CanaryInput): RolloutInput => ({
  name: name ?? `Canary ${target_version}`,
  kind: "os_version",
  target_version,
  stages: [canary_percent ?? CANARY_PERCENT, 100],
  auto_promote: false,
  ...(filter === undefined ? {} : { filter }),
});
