import { Elysia, t } from "elysia";
import { admin, user } from "../../access.ts";
import type { Actor } from "../../actor.ts";
import type { NodeRoutes } from "../../context.ts";
import type { Asker } from "../../platform/operations/index.ts";
import { getApp, restartApp, retryApp, startApp, stopApp, uninstallApp } from "./begin-work.ts";
import {
  App,
  AppDetail,
  AppParams,
  AppSecret,
  InstallInput,
  InstallPlan,
  InstallResult,
  OperationStarted,
  PlanInput,
  RetryInput,
  TrashedApp,
  UninstallQuery,
} from "./contract.ts";
import { installApp } from "./install.ts";
import { planInstall } from "./plan.ts";
import { appListJson, presentDetail } from "./present.ts";
import { readSecrets } from "./secrets.ts";
import { listTrash, purgeTrash } from "./trash.ts";

/** `App[]` to readers of the API document; ready text to the framework, which must neither check nor copy it. */
const AppListText = t.Any({ type: "array", items: App });

export const appRoutes: NodeRoutes = (ctx) =>
  new Elysia({ prefix: "/api/apps" })
    .use(ctx.guard)
    .get(
      "",
      ({ set }) => {
        set.headers["content-type"] = "application/json;charset=utf-8";
        return appListJson(ctx);
      },
      { access: user("apps"), response: AppListText },
    )
    .post("", ({ actor, ip, body }) => installApp(ctx, askerOf(actor, ip), body), {
      access: admin("apps"),
      body: InstallInput,
      response: InstallResult,
    })
    .post("/plan", ({ body }) => planInstall(ctx, body), {
      access: admin("apps"),
      body: PlanInput,
      response: InstallPlan,
    })
    .get("/trash", () => listTrash(ctx), { access: admin("apps"), response: t.Array(TrashedApp) })
    .delete(
      "/trash/:id",
      async ({ actor, ip, params }) => {
        await purgeTrash(ctx, askerOf(actor, ip), params.id);
        return { message: "The data is deleted." };
      },
      { access: admin("apps"), params: AppParams, response: t.Object({ message: t.String() }) },
    )
    .get("/:id", ({ params }) => presentDetail(ctx, getApp(ctx, params.id), ctx.apps.disk.latest().volumes), {
      access: user("apps"),
      params: AppParams,
      response: AppDetail,
    })
    .delete(
      "/:id",
      ({ actor, ip, params, query }) => uninstallApp(ctx, askerOf(actor, ip), params.id, query.delete_data ?? false),
      {
        access: admin("apps"),
        params: AppParams,
        query: UninstallQuery,
        response: OperationStarted,
      },
    )
    .post("/:id/start", ({ actor, ip, params }) => startApp(ctx, askerOf(actor, ip), params.id), appAction())
    .post("/:id/stop", ({ actor, ip, params }) => stopApp(ctx, askerOf(actor, ip), params.id), appAction())
    .post("/:id/restart", ({ actor, ip, params }) => restartApp(ctx, askerOf(actor, ip), params.id), appAction())
    .post("/:id/retry", ({ actor, ip, params, body }) => retryApp(ctx, askerOf(actor, ip), params.id, body), {
      ...appAction(),
      body: RetryInput,
      response: OperationStarted,
    })
    .get(
      "/:id/secrets",
      ({ params }) => {
        getApp(ctx, params.id);
        return readSecrets(ctx, params.id);
      },
      { access: admin("apps"), params: AppParams, response: t.Array(AppSecret) },
    );

const askerOf = ({ user_id }: Actor, ip: string): Asker => ({ user_id, ip });

/** Made anew for each route: Elysia writes into what it is given. */
const appAction = () => ({ access: admin("apps"), params: AppParams, response: App });
