import { Value } from "@sinclair/typebox/value";
import { kernelFail } from "../../../kernel/http/errors.ts";
import { parseJson } from "../../../lib/json.ts";
import type { NodeBase } from "../../base.ts";
import { Dashboard, type DashboardInput, type DashboardSaved, fail } from "./contract.ts";
import { findDashboard, saveDashboard } from "./store.ts";

type Deps = Pick<NodeBase, "db">;
type DashboardType = Dashboard["type"];

/** The user's layout; version 0 and no widgets when none was saved. */
export function readDashboard({ db }: Deps, userId: string, type: DashboardType): Dashboard {
  const row = findDashboard(db, userId, type);
  const dashboard: unknown = { type, version: row?.version ?? 0, layout: parseJson(row?.layout ?? "[]") };
  return Value.Check(Dashboard, dashboard) ? dashboard : { type, version: row?.version ?? 0, layout: [] };
}

/**
 * Replaces the layout that was read at `input.version`. Throws `stale_version` when it was changed since, and
 * `invalid_request` when two widgets have one id.
 */
export function writeDashboard(
  { db }: Deps,
  userId: string,
  type: DashboardType,
  input: DashboardInput,
): DashboardSaved {
  if (new Set(input.layout.map(({ id }) => id)).size !== input.layout.length) {
    throw kernelFail("invalid_request", { field: "layout", reason: "has two widgets with the same id" });
  }
  return db.tx(() => {
    const current_version = findDashboard(db, userId, type)?.version ?? 0;
    if (input.version !== current_version) throw fail("stale_version", { current_version });
    const version = current_version + 1;
    saveDashboard(db, userId, type, { version, layout: JSON.stringify(input.layout) });
    return { type, version };
  });
}
