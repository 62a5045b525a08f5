/** Plans: which ones there are, what each of them includes, and the one refusal of what it does not. */
import { defineErrors, type ErrorParams } from "../../kernel/http/errors.ts";

export const NODE_PLANS = ["community", "pro", "business", "enterprise"] as const;
export type NodePlan = (typeof NODE_PLANS)[number];

const APP_LIMITS: Record<NodePlan, number> = {
  community: 25,
  pro: 100,
  business: 500,
  enterprise: Number.POSITIVE_INFINITY,
};

/** The smallest plan that has each licensed feature. */
const FEATURE_PLANS = new Map<string, { plan: NodePlan; title: string }>([
  ["predictive_alerting", { plan: "pro", title: "Predictive alerting" }],
  ["suite_unlimited_shares", { plan: "pro", title: "More than three share links" }],
  ["cost_optimization", { plan: "pro", title: "Cost optimization" }],
]);

/** The fields that the contract asks for in a refusal by plan. */
export function upgradeWire({ feature, current_plan, required_plan }: ErrorParams): ErrorParams {
  return { error: "upgrade_required", feature, current_plan, required_plan, upgrade_url: "/settings/plan" };
}

export const planFail = defineErrors({
  upgrade_required: [
    402,
    "{title} is part of the {required_plan} plan; this server is on the {current_plan} plan. Upgrade to use it.",
    upgradeWire,
  ],
});

/** Lets a plan through that includes `feature`. Throws `upgrade_required`; an Error for a feature that does not exist. */
export function assertIncluded(plan: NodePlan, feature: string): void {
  const needed = FEATURE_PLANS.get(feature);
  if (!needed) throw new Error(`no plan knows the feature ${feature}`);
  if (NODE_PLANS.indexOf(plan) >= NODE_PLANS.indexOf(needed.plan)) return;
  throw planFail("upgrade_required", {
    feature,
    title: needed.title,
    current_plan: plan,
    required_plan: needed.plan,
  });
}

/** How many apps a plan may have installed; infinite for enterprise. */
export function appLimitOf(plan: NodePlan): number {
  return APP_LIMITS[plan];
}

const DAY_HOURS = 24;
const VERSION_HOURS: Record<NodePlan, number> = {
  community: DAY_HOURS,
  pro: 90 * DAY_HOURS,
  business: 180 * DAY_HOURS,
  enterprise: 365 * DAY_HOURS,
};

/** For how many hours a plan reaches back to what files held before. */
export function versionHoursOf(plan: NodePlan): number {
  return VERSION_HOURS[plan];
}

/** What each plan has: how many apps (null is no limit), and the licensed features. */
export function describePlans(): {
  plan: NodePlan;
  app_limit: number | null;
  features: { feature: string; title: string }[];
}[] {
  return NODE_PLANS.map((plan, rank) => ({
    plan,
    app_limit: Number.isFinite(APP_LIMITS[plan]) ? APP_LIMITS[plan] : null,
    features: [...FEATURE_PLANS]
      .filter(([, needed]) => NODE_PLANS.indexOf(needed.plan) <= rank)
      .map(([feature, { title }]) => ({ feature, title })),
  }));
}

/** The smallest plan that allows `count` apps. */
export function planForApps(count: number): NodePlan {
  return NODE_PLANS.find((plan) => APP_LIMITS[plan] >= count) ?? "enterprise";
}
