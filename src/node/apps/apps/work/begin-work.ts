import type { Asker } from "../../../platform/operations/index.ts";
import { configOf, manifestOf } from "../blueprint/blueprint.ts";
import { type App, fail, type OperationStarted, type RetryInput } from "../contract.ts";
import { moveApp } from "../move.ts";
import type { Own } from "../needs.ts";
import { assertConfigFits } from "../plan/conditions.ts";
import { presentApp } from "../present.ts";
import { type AppTrigger, nextStatus } from "../status.ts";
import { type AppRow, type AppWork, findApp, updateConfig } from "../store.ts";
import { assertMayRun } from "./holds.ts";
import { launchWork } from "./launch.ts";
import { startOperation } from "./start-operation.ts";

/** Finds an app. Throws `app_not_found`. */
export function getApp({ db }: Pick<Own, "db">, id: string): AppRow {
  const app = findApp(db, id);
  if (!app) throw fail("app_not_found", { id });
  return app;
}

/**
 * Writes the work into the app's row, moves its status and begins. Throws `app_not_found`, `app_busy`, `pulls_busy`,
 * `runtime_unavailable`.
 */
function begin(own: Own, by: Asker | null, id: string, trigger: AppTrigger, kind: AppWork, deleteData = 0): AppRow {
  const app = getApp(own, id);
  own.runtime.requireEngine();
  if (!nextStatus(app.status, trigger)) throw fail("app_busy", { name: app.name, status: app.status });
  if (kind !== "stop" && kind !== "uninstall") assertMayRun(own, app);
  if (kind === "install") own.pulls.assertRoom(by);
  const moved = own.db.tx(() => {
    const op_id = startOperation(own, app, kind, by).id;
    return moveApp(own, id, trigger, { work: kind, delete_data: deleteData, op_id }) ?? app;
  });
  launchWork(own, id);
  return moved;
}

/** True for an app whose install failed: nothing of it is there, so that starting it means installing it. */
const wasNeverInstalled = (app: AppRow): boolean => app.status === "error" && app.installed_at === null;

/** Starts a stopped or failed app; `by` is null where the node sees to it by itself. One that runs already is left alone; a failed install is tried again. */
export function startApp(own: Own, by: Asker | null, id: string): App {
  const app = getApp(own, id);
  if (app.status === "running") return presentApp(own, app);
  if (wasNeverInstalled(app)) return presentApp(own, begin(own, by, id, "retry", "install"));
  return presentApp(own, begin(own, by, id, "start", "start"));
}

/** Stops an app. One that is stopped already, or was never there, is left alone. */
export function stopApp(own: Own, by: Asker, id: string): App {
  const app = getApp(own, id);
  if (app.status === "stopped" || wasNeverInstalled(app)) return presentApp(own, app);
  return presentApp(own, begin(own, by, id, "stop", "stop"));
}

/** Stops and starts an app. */
export function restartApp(own: Own, by: Asker, id: string): App {
  const app = getApp(own, id);
  if (app.status === "stopped" || wasNeverInstalled(app)) return startApp(own, by, id);
  return presentApp(own, begin(own, by, id, "restart", "restart"));
}

/**
 * Tries a failed install again, with other limits if some are given; an app that failed later is started. Throws
 * `app_not_failed`, `invalid_request`, `pulls_busy`.
 */
export function retryApp(own: Own, by: Asker, id: string, input: RetryInput | null): OperationStarted {
  const app = getApp(own, id);
  if (app.status !== "error") throw fail("app_not_failed", { name: app.name });
  own.runtime.requireEngine();
  // Before the limits are written.
  assertMayRun(own, app);
  if (wasNeverInstalled(app)) own.pulls.assertRoom(by);
  if (input?.limits) {
    assertConfigFits(own, manifestOf(app), { limits: input.limits });
    const config = configOf(app);
    updateConfig(own.db, id, JSON.stringify({ ...config, limits: { ...config.limits, ...input.limits } }));
  }
  const moved = wasNeverInstalled(app) ? begin(own, by, id, "retry", "install") : begin(own, by, id, "start", "start");
  return { op_id: moved.op_id ?? "" };
}

/** Removes an app, also in the middle of its install; its data is kept for a while unless `deleteData`. */
export function uninstallApp(own: Own, by: Asker, id: string, deleteData: boolean): OperationStarted {
  const app = getApp(own, id);
  if (app.status === "uninstalling") return { op_id: app.op_id ?? "" };
  own.runtime.requireEngine();
  own.state.works.get(id)?.abort.abort();
  return { op_id: begin(own, by, id, "uninstall", "uninstall", deleteData ? 1 : 0).op_id ?? "" };
}
