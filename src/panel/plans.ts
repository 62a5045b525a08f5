import type { NodePlan } from "../shared/plans/index.ts";

export const PLANS = ["free", "pro", "team", "business", "enterprise"] as const;

/** What a workspace is on. */
export type Plan = (typeof PLANS)[number];

/** How many nodes and client workspaces a workspace may have, and the plan that its nodes are on. */
const INCLUDED: Record<Plan, { nodes: number; clients: number; nodePlan: NodePlan }> = {
  free: { nodes: 25, clients: 5, nodePlan: "community" },
  pro: { nodes: 100, clients: 25, nodePlan: "pro" },
  team: { nodes: 500, clients: 100, nodePlan: "pro" },
  business: { nodes: 5_000, clients: 1_000, nodePlan: "business" },
  enterprise: { nodes: Number.POSITIVE_INFINITY, clients: Number.POSITIVE_INFINITY, nodePlan: "enterprise" },
};

/** The plan that a stored word names; free for any other word. */
export function planOf(stored: string): Plan {
  return PLANS.find((plan) => plan === stored) ?? "free";
}

/** How many nodes a workspace on this plan may have; infinite for enterprise. */
export function nodeLimitOf(plan: Plan): number {
  return INCLUDED[plan].nodes;
}

/** How many client workspaces a workspace on this plan may have; infinite for enterprise. */
export function clientLimitOf(plan: Plan): number {
  return INCLUDED[plan].clients;
}

/** The plan of the nodes of a workspace. */
export function nodePlanOf(plan: Plan): NodePlan {
  return INCLUDED[plan].nodePlan;
}
