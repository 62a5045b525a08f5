import type { NodePlan } from "../../../shared/plans/index.ts";
import { describePlans } from "../../../shared/plans/index.ts";
import type { NodeBase } from "../../base.ts";
import type { PlanOverview } from "./contract.ts";

type Deps = Pick<NodeBase, "config" | "lists">;

/** The plan in force and who decides it: the panel's license where there is one, else this server's own configuration. */
export function decidePlan({ config, lists }: Deps): { plan: NodePlan; from: PlanOverview["from"] } {
  for (const read of lists.plans.all()) {
    const plan = read();
    if (plan !== null) return { plan, from: "panel" };
  }
  return { plan: config.plan, from: "configuration" };
}

/** How many apps the overview counts; 0 on a node without any. */
async function countInstalled({ lists }: Deps): Promise<number> {
  const apps = await lists.overview
    .all()
    .find(({ name }) => name === "apps")
    ?.read();
  return apps && "installed" in apps && typeof apps.installed === "number" ? apps.installed : 0;
}

/** The plan in force, how much of it is used, and what each plan includes. */
export async function readPlans(deps: Deps): Promise<PlanOverview> {
  const { plan, from } = decidePlan(deps);
  return { current: plan, from, apps_installed: await countInstalled(deps), plans: describePlans() };
}
