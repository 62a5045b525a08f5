import type { Asker, OperationHandle } from "../../../platform/operations/index.ts";
import { EngineError } from "../../runtime/index.ts";
import { bareBlueprint, readBlueprint } from "../blueprint/blueprint.ts";
import { touchList } from "../move.ts";
import type { Own } from "../needs.ts";
import { type AppRow, type AppWork, findApp, updateApp } from "../store.ts";
import { explainLosses, mayTryAgain, wasEngineLost } from "./engine-loss.ts";
import { toFailure } from "./failure.ts";
import { giveUp } from "./give-up.ts";
import { WORK_KINDS } from "./kinds.ts";
import { startOperation } from "./start-operation.ts";
import { takeBackSecrets } from "./take-back-secrets.ts";
import type { Work } from "./work.ts";

/** Whoever asked for work whose operation is over or was forgotten. Nobody knows that it only brings back what ran, so it is looked at as theirs. */
const SOMEBODY: Asker = { user_id: "somebody", ip: "" };

/** Keeps the operations of work that was cut off from being called abandoned until Docker is there: they say who asked for it. */
export function holdOperations({ operations }: Pick<Own, "operations">, apps: readonly AppRow[]): void {
  for (const { work, op_id } of apps) if (work !== null && op_id !== null) operations.resume(op_id);
}

/** The operation of an app's work; a new one when the old is over or was forgotten. */
function openOperation(own: Own, app: AppRow, kind: AppWork): OperationHandle {
  const known = app.op_id === null ? null : own.operations.resume(app.op_id);
  if (known) return known;
  return own.db.tx(() => {
    const op = startOperation(own, app, kind, SOMEBODY);
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
    own.state.losses.delete(appId);
    return false;
  } catch (error) {
    const next = signal.aborted ? "give up" : await afterFailure(work, app.work, error);
    if (own.signal.aborted) return false;
    if (signal.aborted) {
      work.op.fail({ code: "cancelled", message: "It was cancelled.", next_step: null });
      return false;
    }
    if (next !== "give up") return next === "again";
    const failure = own.state.losses.get(appId) === undefined ? toFailure(error) : explainLosses(error);
    own.log.warn("work on an app failed", { app_id: appId, work: app.work, error });
    own.state.losses.delete(appId);
    return await giveUp(work, failure, () => takeBackSecrets(work, failure.cause));
  }
}

/**
 * What becomes of work that failed: what only the loss of the engine stopped is tried again, now or once the engine is back. Waits as
 * long as it takes to tell.
 */
async function afterFailure(work: Work, kind: AppWork, error: unknown): Promise<"again" | "later" | "give up"> {
  const { own, engine, op, signal } = work;
  const { id } = work.blueprint.app;
  if (!(await wasEngineLost(own, engine, error, signal))) {
    own.state.losses.delete(id);
    return "give up";
  }
  if (signal.aborted) return "later";
  const current = own.runtime.engine();
  op.log("Docker went away in the middle of it. It goes on as soon as Docker is back.");
  own.log.info("work on an app is tried again", { app_id: id, work: kind, error });
  const isUpdate = kind === "update" || kind === "rollback";
  // Half an update is never left: without an answer it goes on with the next look at all work.
  if (isUpdate && current === engine && error instanceof EngineError && error.status === 0) return "later";
  // An update that has lost patience goes back by itself.
  if (!(await mayTryAgain(own, id, signal)) && !isUpdate) return "give up";
  return own.runtime.engine() === null ? "later" : "again";
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
