import { toIso } from "../../../lib/clock.ts";
import type { Actor } from "../../actor.ts";
import { nodeLimitOf, planOf } from "../../plans.ts";
import type { Enrolment } from "./contract.ts";
import type { Needs } from "./needs.ts";

/** How many nodes the plan has room for, and which servers were turned away of late. */
export async function describeEnrolment(
  { nodes, tenants }: Pick<Needs, "nodes" | "tenants">,
  { tenant_id }: Actor,
): Promise<Enrolment> {
  const plan = planOf((await tenants.findPlan(tenant_id)) ?? "free");
  const limit = nodeLimitOf(plan);
  const refused = nodes.turnedAway(tenant_id).map(({ at, ...told }) => ({ ...told, at: toIso(at) }));
  return {
    plan,
    nodes: { used: nodes.directory.count(tenant_id), limit: Number.isFinite(limit) ? limit : null },
    refused,
  };
}
