import { Elysia } from "elysia";
import { describePlans } from "../../../shared/plans/index.ts";
import { user } from "../../access.ts";
import { countApps } from "../../apps/apps/index.ts";
import type { NodeRoutes } from "../../context.ts";
import { PlanOverview } from "./contract.ts";

export const planRoutes: NodeRoutes = (ctx) =>
  new Elysia({ prefix: "/api/plans" }).use(ctx.guard).get(
    "",
    () => {
      const { plan, plan_from } = ctx.panelLink.status();
      return { current: plan, from: plan_from, apps_installed: countApps(ctx.db).installed, plans: describePlans() };
    },
    { access: user("settings"), response: PlanOverview },
  );
