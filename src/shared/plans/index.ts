/** Plans: which one a node has and what it allows. */

export const NODE_PLANS = ["community", "pro", "business", "enterprise"] as const;
export type NodePlan = (typeof NODE_PLANS)[number];

const APP_LIMITS: Record<NodePlan, number> = {
  community: 25,
  pro: 100,
  business: 500,
  enterprise: Number.POSITIVE_INFINITY,
};

/** How many apps a plan may have installed; infinite for enterprise. */
export function appLimitOf(plan: NodePlan): number {
  return APP_LIMITS[plan];
}

/** The smallest plan that allows `count` apps. */
export function planForApps(count: number): NodePlan {
  return NODE_PLANS.find((plan) => APP_LIMITS[plan] >= count) ?? "enterprise";
}
