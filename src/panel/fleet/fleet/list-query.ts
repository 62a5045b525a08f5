import { kernelFail } from "../../../kernel/http/errors.ts";
import { inSteps } from "../../../lib/sort-in-steps.ts";
import type { Actor } from "../../actor.ts";
import type { TenantDb } from "../../data/tenant-db.ts";
import { fail, IDS_MAX, type InstancePage, type InstancesQuery, type Status } from "./contract.ts";
import { listIds, listInstances, prepareList } from "./list.ts";
import { type Comparison, type Filter, type Marks, STATUSES } from "./match.ts";
import type { Own } from "./needs.ts";
import { findGroupIds } from "./store.ts";

/** Values that one parameter of a list may have. */
const WANTED_MAX = 50;

type Deps = Pick<Own, "indexes" | "live" | "clock" | "inScanTurn">;

/** A page of the caller's nodes. Throws `too_many_ids`, `invalid_request`, `too_many_requests`. */
export async function queryInstances(deps: Deps, actor: Actor, query: InstancesQuery): Promise<InstancePage> {
  const { indexes, live, clock, inScanTurn } = deps;
  const filter = await readFilter(actor.db, query, clock.now());
  return inScanTurn(actor, async (othersFirst) => {
    const fleet = live.fleetOf(actor);
    await prepareList(indexes, fleet, filter.sort);
    return inSteps(listInstances(indexes, fleet, filter), othersFirst);
  });
}

/** The ids of every node that a query leaves, by their host names. Throws what `queryInstances` throws. */
export async function queryIds(deps: Deps, actor: Actor, query: InstancesQuery): Promise<string[]> {
  const { indexes, live, clock, inScanTurn } = deps;
  const filter = await readFilter(actor.db, query, clock.now());
  return inScanTurn(actor, async (othersFirst) => {
    const fleet = live.fleetOf(actor);
    await prepareList(indexes, fleet);
    return inSteps(listIds(indexes, fleet, filter), othersFirst);
  });
}

/** What each mark's values may be; the longest name of its kind. */
const LENGTHS = { status: 16, region: 256, version: 64, tenant: 64, group: 100, tag: 64, q: 256 } as const;
type Mark = keyof typeof LENGTHS;
const isMark = (name: string): name is Mark => Object.hasOwn(LENGTHS, name);

const COLUMNS: Readonly<Record<string, Comparison["column"]>> = {
  cpu: "cpu",
  mem: "memory",
  disk: "disk",
  apps: "apps",
  uptime: "uptime_seconds",
  seen: "last_seen",
};

function refuse(field: string, reason: string): Error {
  return kernelFail("invalid_request", { field, reason });
}

async function readFilter(db: TenantDb, query: InstancesQuery, now: number): Promise<Filter> {
  const { status, region, version, tenant, group, tag, not, where, ids, ...rest } = query;
  for (const [field, values] of Object.entries({ status, region, version, tenant, group, tag, not, where }))
    if ((values?.length ?? 0) > WANTED_MAX) throw refuse(field, `must be given at most ${WANTED_MAX} times`);
  const left = new Map<Mark, string[]>();
  for (const text of not ?? []) {
    const [, name = "", value = ""] = /^(\w+):(.+)$/s.exec(text) ?? [];
    if (!isMark(name)) throw refuse("not", `must be one of ${Object.keys(LENGTHS).join(", ")}, a colon, and a value`);
    // Blank text is part of every node, and would leave all of them out.
    if (value.trim() === "") throw refuse("not", `must have a value after ${name}:`);
    left.set(name, [...(left.get(name) ?? []), value]);
  }
  const marks = await readMarks(db, "", { status, region, version, tenant, group, tag });
  const without = await readMarks(db, "not", Object.fromEntries(left));
  const q = checkTexts("not", "q", left.get("q"));
  const wanted = ids?.flatMap((list) => list.split(",")).filter((id) => id !== "");
  if (wanted && wanted.length > IDS_MAX) throw fail("too_many_ids", { count: wanted.length, limit: IDS_MAX });
  return {
    ...rest,
    ...marks,
    ...(wanted && { ids: wanted }),
    ...(not && { not: { ...without, ...(q && { q }) } }),
    ...(where && { where: where.map((text) => readComparison(text, now)) }),
  };
}

async function readMarks(
  db: TenantDb,
  field: string,
  given: Partial<Record<Exclude<Mark, "q">, string[] | undefined>>,
): Promise<Marks> {
  const text = (mark: Exclude<Mark, "q">) => checkTexts(field || mark, mark, given[mark]);
  const [status, region, version, tenant, tag, group] = [
    given.status?.map((value) => readStatus(field || "status", value)),
    text("region"),
    text("version"),
    text("tenant"),
    text("tag"),
    text("group"),
  ];
  const groupIds: string[] = [];
  for (const one of group ?? []) groupIds.push(...(await findGroupIds(db, one)));
  return {
    ...(status && { status }),
    ...(region && { region }),
    ...(version && { version }),
    ...(tenant && { tenant }),
    ...(tag && { tag }),
    ...(group && { groupIds }),
  };
}

function readStatus(field: string, text: string): Status {
  const status = STATUSES.find((one) => one === text);
  if (!status) throw refuse(field, `must be one of ${STATUSES.join(", ")}`);
  return status;
}

function checkTexts(field: string, mark: Mark, values: string[] | undefined): string[] | undefined {
  for (const { length } of values ?? [])
    if (length === 0 || length > LENGTHS[mark]) throw refuse(field, `must have 1 to ${LENGTHS[mark]} characters`);
  return values;
}

/** Reads `cpu>80`. How long ago something was seen becomes the moment: longer ago is earlier. */
function readComparison(text: string, now: number): Comparison {
  const [, name = "", sign, number = ""] = /^(\w+)(<=|>=|<|>)(\d{1,12}(?:\.\d{1,6})?)$/.exec(text) ?? [];
  const column = Object.hasOwn(COLUMNS, name) ? COLUMNS[name] : undefined;
  if (!column || (sign !== "<" && sign !== "<=" && sign !== ">" && sign !== ">="))
    throw refuse("where", `must be one of ${Object.keys(COLUMNS).join(", ")}, then <, <=, > or >=, and a number`);
  if (column !== "last_seen") return { column, sign, limit: Number(number) };
  const turned = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" } as const;
  return { column, sign: turned[sign], limit: now - Number(number) * 1_000 };
}
