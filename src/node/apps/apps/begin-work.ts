import type { NodeContext } from "../../context.ts";
import type { Asker } from "../../platform/operations/index.ts";
import { configOf, manifestOf } from "./blueprint.ts";
import { assertConfigFits } from "./config-fits.ts";
import { type App, fail, type OperationStarted, type RetryInput } from "./contract.ts";
import { launchWork } from "./launch.ts";
import { moveApp } from "./move.ts";
import { presentApp } from "./present.ts";
import { startOperation } from "./start-operation.ts";
import { type AppTrigger, nextStatus } from "./status.ts";
import { type AppRow, type AppWork, findApp, updateConfig } from "./store.ts";

/** Finds an app. Throws `app_not_found`. */
export function getApp({ db }: Pick<NodeContext, "db">, id: string): AppRow {
  const app = findApp(db, id);
  if (!app) throw fail("app_not_found", { id });
  return app;
}

/**
 * Writes the work into the app's row, moves its status and begins. Throws `app_not_found`, `app_busy`,
 * `runtime_unavailable`.
 */
function begin(
  ctx: NodeContext,
  by: Asker | null,
  id: string,
  trigger: AppTrigger,
  kind: AppWork,
  deleteData = 0,
): AppRow {
  const app = getApp(ctx, id);
  ctx.runtime.requireEngine();
  if (!nextStatus(app.status, trigger)) throw fail("app_busy", { name: app.name, status: app.status });
  const moved = ctx.db.tx(() => {
    const op_id = startOperation(ctx, app, kind, by).id;
    return moveApp(ctx, id, trigger, { work: kind, delete_data: deleteData, op_id }) ?? app;
  });
  launchWork(ctx, id);
  return moved;
}

/** True for an app whose install failed: nothing of it is there, so that starting it means installing it. */
const wasNeverInstalled = (app: AppRow): boolean => app.status === "error" && app.installed_at === null;

/** Starts a stopped or failed app; `by` is null where the node sees to it by itself. One that runs already is left alone; a failed install is tried again. */
export function startApp(ctx: NodeContext, by: Asker | null, id: string): App {
  const app = getApp(ctx, id);
  if (app.status === "running") return presentApp(ctx, app);
  if (wasNeverInstalled(app)) return presentApp(ctx, begin(ctx, by, id, "retry", "install"));
  return presentApp(ctx, begin(ctx, by, id, "start", "start"));
}

/** Stops an app. One that is stopped already, or was never there, is left alone. */
export function stopApp(ctx: NodeContext, by: Asker, id: string): App {
  const app = getApp(ctx, id);
  if (app.status === "stopped" || wasNeverInstalled(app)) return presentApp(ctx, app);
  return presentApp(ctx, begin(ctx, by, id, "stop", "stop"));
}

/** Stops and starts an app. */
export function restartApp(ctx: NodeContext, by: Asker, id: string): App {
  const app = getApp(ctx, id);
  if (app.status === "stopped" || wasNeverInstalled(app)) return startApp(ctx, by, id);
  return presentApp(ctx, begin(ctx, by, id, "restart", "restart"));
}

/**
 * Tries a failed install again, with other limits if some are given; an app that failed later is started. Throws
 * `app_not_failed`, `invalid_request`.
 */
export function retryApp(ctx: NodeContext, by: Asker, id: string, input: RetryInput | null): OperationStarted {
  const app = getApp(ctx, id);
  if (app.status !== "error") throw fail("app_not_failed", { name: app.name });
  ctx.runtime.requireEngine();
  if (input?.limits) {
    assertConfigFits(manifestOf(app), { limits: input.limits });
    const config = configOf(app);
    const limits = { ...config.limits, ...input.limits };
    updateConfig(ctx.db, id, JSON.stringify({ ...config, limits }));
  }
  const moved = wasNeverInstalled(app) ? begin(ctx, by, id, "retry", "install") : begin(ctx, by, id, "start", "start");
  return { op_id: moved.op_id ?? "" };
}

/** Removes an app, also in the middle of its install; its data is kept for a while unless `deleteData`. */
export function uninstallApp(ctx: NodeContext, by: Asker, id: string, deleteData: boolean): OperationStarted {
  const app = getApp(ctx, id);
  if (app.status === "uninstalling") return { op_id: app.op_id ?? "" };
  ctx.runtime.requireEngine();
  ctx.apps.works.get(id)?.abort.abort();
  return { op_id: begin(ctx, by, id, "uninstall", "uninstall", deleteData ? 1 : 0).op_id ?? "" };
}
