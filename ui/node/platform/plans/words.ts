import type { PlanOverview } from "../../../../src/node/platform/plans/contract.ts";

type Offer = PlanOverview["plans"][number];

/** The name of a plan, as people write it. */
export const planName = (plan: string): string => plan.charAt(0).toUpperCase() + plan.slice(1);

/** What a licensed feature is good for, in one line; its title where this page does not know it yet. */
export function featureLine({ feature, title }: Offer["features"][number]): string {
  return (
    {
      predictive_alerting: "Predictive alerting: where processor, memory, disks and network will be in an hour",
      cost_optimization: "Cost: what each app costs at your own rates, and what could be saved",
    }[feature] ?? title
  );
}

/** How many apps a plan may have. */
export const appsLine = (limit: number | null): string =>
  limit === null ? "As many apps as you like" : `Up to ${limit} apps`;

/** What a plan has that the one before it has not. */
export function addedBy(offers: readonly Offer[], index: number): Offer["features"] {
  const before = new Set(offers[index - 1]?.features.map(({ feature }) => feature));
  return (offers[index]?.features ?? []).filter(({ feature }) => !before.has(feature));
}
