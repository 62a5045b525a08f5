import { seconds } from "../../../lib/duration.ts";
import type { NodeContext } from "../../context.ts";
import type { OperationHandle } from "../../platform/operations/index.ts";
import { EngineError } from "../runtime/index.ts";
import { bareBlueprint, readBlueprint } from "./blueprint.ts";
import { toFailure } from "./failure.ts";
import { giveUp } from "./give-up.ts";
import { WORK_KINDS } from "./kinds.ts";
import { touchList } from "./move.ts";
import { startOperation } from "./start-operation.ts";
import { type AppRow, type AppWork, findApp, updateApp } from "./store.ts";
import type { Work } from "./work.ts";

/** Time in which a lost connection to the engine becomes known. */
const CONNECTION_MS = seconds(2);

/** The operation of an app's work; a new one when the old is over or was forgotten. */
function openOperation(ctx: NodeContext, app: AppRow, kind: AppWork): OperationHandle {
  const known = app.op_id === null ? null : ctx.operations.resume(app.op_id);
  if (known) return known;
  return ctx.db.tx(() => {
    const op = startOperation(ctx, app, kind, null);
    updateApp(ctx.db, { ...app, op_id: op.id });
    touchList(ctx);
    return op;
  });
}

/** One try. Resolves true when the engine was lost on the way and is back: then the work goes on from its journal. */
async function perform(ctx: NodeContext, appId: string, signal: AbortSignal): Promise<boolean> {
  const engine = ctx.runtime.engine();
  const app = findApp(ctx.db, appId);
  if (!engine || !app?.work) return false;
  const op = openOperation(ctx, app, app.work);
  const work: Work = { ctx, engine, blueprint: bareBlueprint(ctx, app), op, signal, images: new Map() };
  try {
    if (app.work !== "uninstall") work.blueprint = readBlueprint(ctx, app);
    await WORK_KINDS[app.work].run(work);
    return false;
  } catch (error) {
    if (ctx.signal.aborted) return false;
    if (signal.aborted) {
      work.op.fail({ code: "cancelled", message: "It was cancelled.", next_step: null });
      return false;
    }
    if (error instanceof EngineError && error.status === 0) {
      await ctx.clock.sleep(CONNECTION_MS, signal);
      const current = ctx.runtime.engine();
      if (current !== engine) return current !== null;
    }
    ctx.log.warn("work on an app failed", { app_id: appId, work: app.work, error });
    await giveUp(work, toFailure(error));
    return false;
  }
}

/** Begins, or goes on with, the work that is written in an app's row; after what runs on it now, if anything does. */
export function launchWork(ctx: NodeContext, appId: string): void {
  const previous = ctx.apps.works.get(appId);
  const abort = new AbortController();
  const signal = AbortSignal.any([ctx.signal, abort.signal]);
  const done = (previous?.done ?? Promise.resolve())
    .then(async () => {
      while (await perform(ctx, appId, signal));
    })
    .catch((error: unknown) => ctx.log.error("work on an app broke off", { app_id: appId, error }))
    .finally(() => {
      if (ctx.apps.works.get(appId)?.abort === abort) ctx.apps.works.delete(appId);
    });
  ctx.apps.works.set(appId, { abort, done });
}

/** Goes on with all work that nobody does at the moment: after a start of the node, or a return of the engine. */
export function resumeWorks(ctx: NodeContext, apps: readonly AppRow[]): void {
  for (const app of apps) if (app.work !== null && !ctx.apps.works.has(app.id)) launchWork(ctx, app.id);
}
