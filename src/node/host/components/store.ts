import type { Store } from "../../../kernel/db/store.ts";
import type { OperationHandle } from "../../platform/operations/index.ts";
import type { HostPackage, HostSysctl, HostUnit } from "../host-role/index.ts";
import type { Plan } from "./plan.ts";

/** Why an operation ended badly, in the words of its last event. */
export type Failure = Parameters<OperationHandle["fail"]>[0];

/** What the pieces of a plan were like before anything was changed. */
export interface Before {
  packages: { name: HostPackage; installed: boolean }[];
  units: { name: HostUnit; enabled: boolean; active: boolean }[];
  /** What was set of the kernel from here; missing where nothing is to be. */
  sysctls?: { key: HostSysctl; set: number | null }[];
  /** Docker of the snap store ran; missing in journals of before and where nobody replaces it. */
  snap_ran?: boolean;
}

/** The change that is under way. */
export interface Work {
  op_id: string;
  plan: Plan;
  before: Before | null;
  done: readonly string[];
  failure: Failure | null;
  waits_since: number | null;
}

type Row = Record<"op_id" | "plan" | "done", string> &
  Record<"before" | "failure", string | null> & { waits_since: number | null };

/** The change that is under way, if one is. */
export function findWork(db: Store): Work | null {
  const row = db.raw.query<Row, []>("SELECT * FROM component_work LIMIT 1").get();
  if (!row) return null;
  const { op_id, plan, before, done, failure, waits_since } = row;
  return {
    op_id,
    plan: JSON.parse(plan),
    before: before === null ? null : JSON.parse(before),
    done: JSON.parse(done),
    failure: failure === null ? null : JSON.parse(failure),
    waits_since,
  };
}

/** Writes the change that is under way, as far as it is. */
export function saveWork(db: Store, work: Work): void {
  db.raw
    .query(
      "INSERT OR REPLACE INTO component_work (op_id, plan, before, done, failure, waits_since) VALUES (?, ?, ?, ?, ?, ?)",
    )
    .run(
      work.op_id,
      JSON.stringify(work.plan),
      work.before && JSON.stringify(work.before),
      JSON.stringify(work.done),
      work.failure && JSON.stringify(work.failure),
      work.waits_since,
    );
}

export function deleteWork(db: Store, opId: string): void {
  db.raw.query("DELETE FROM component_work WHERE op_id = ?").run(opId);
}
