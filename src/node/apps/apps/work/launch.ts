import { seconds } from "../../../../lib/duration.ts";
import type { OperationHandle } from "../../../platform/operations/index.ts";
import { EngineError } from "../../runtime/index.ts";
import { bareBlueprint, readBlueprint } from "../blueprint/blueprint.ts";
import { touchList } from "../move.ts";
import type { Own } from "../needs.ts";
import { type AppRow, type AppWork, findApp, updateApp } from "../store.ts";
import { toFailure } from "./failure.ts";
import { giveUp } from "./give-up.ts";
import { WORK_KINDS } from "./kinds.ts";
import { startOperation } from "./start-operation.ts";
import { takeBackSecrets } from "./take-back-secrets.ts";
import type { Work } from "./work.ts";

/** Time in which a lost connection to the engine becomes known. */
const CONNECTION_MS = seconds(2);

/** The operation of an app's work; a new one when the old is over or was forgotten. */
function openOperation(own: Own, app: AppRow, kind: AppWork): OperationHandle {
  const known = app.op_id === null ? null : own.operations.resume(app.op_id);
  if (known) return known;
  return own.db.tx(() => {
    const op = startOperation(own, app, kind, null);
    updateApp(own.db, { ...app, op_id: op.id });
    touchList(own);
    return op;
  });
}

/** One try. Resolves true when there is more to do: the engine was lost on the way and is back, or a way back begins. */
async function perform(own: Own, appId: string, signal: AbortSignal): Promise<boolean> {
  const engine = own.runtime.engine();
  const app = findApp(own.db, appId);
  if (!engine || !app?.work) return false;
  const op = openOperation(own, app, app.work);
  const work: Work = { own, engine, blueprint: bareBlueprint(own, app), op, signal, images: new Map() };
  try {
    if (app.work !== "uninstall") work.blueprint = readBlueprint(own, app);
    await WORK_KINDS[app.work].run(work);
    return false;
  } catch (error) {
    if (own.signal.aborted) return false;
    if (signal.aborted) {
      work.op.fail({ code: "cancelled", message: "It was cancelled.", next_step: null });
      return false;
    }
    if (error instanceof EngineError && error.status === 0) {
      await own.clock.sleep(CONNECTION_MS, signal);
      const current = own.runtime.engine();
      if (current !== engine) return current !== null;
      // Half an update is never left: it goes on with the next look at all work.
      if (app.work === "update" || app.work === "rollback") return false;
    }
    own.log.warn("work on an app failed", { app_id: appId, work: app.work, error });
    const failure = toFailure(error);
    return await giveUp(work, failure, () => takeBackSecrets(work, failure.cause));
  }
}

/** Begins, or goes on with, the work that is written in an app's row; after what runs on it now, if anything does. */
export function launchWork(own: Own, appId: string): void {
  const previous = own.state.works.get(appId);
  const abort = new AbortController();
  const signal = AbortSignal.any([own.signal, abort.signal]);
  const done = (previous?.done ?? Promise.resolve())
    .then(async () => {
      while (await perform(own, appId, signal));
    })
    .catch((error: unknown) => own.log.error("work on an app broke off", { app_id: appId, error }))
    .finally(() => {
      if (own.state.works.get(appId)?.abort === abort) own.state.works.delete(appId);
    });
  own.state.works.set(appId, { abort, done });
}

/** Goes on with all work that nobody does at the moment: after a start of the node, or a return of the engine. */
export function resumeWorks(own: Own, apps: readonly AppRow[]): void {
  for (const app of apps) if (app.work !== null && !own.state.works.has(app.id)) launchWork(own, app.id);
}
