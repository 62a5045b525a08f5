import type { OperationHandle } from "../../platform/operations/index.ts";
import { isOfApp } from "./app-fault.ts";
import { asSentence, codeOf, explain, GoesOn, NotAll } from "./failures.ts";
import { whileTold } from "./image-wait.ts";
import type { Own } from "./needs.ts";
import { restoreApp } from "./restore-app.ts";
import * as store from "./store.ts";

/** So many apps are named in one sentence after the other; the steps of the operation have all. */
const MOST_NAMED = 20;
/** What is about the data of one app, and no app's own fault. */
const OF_ONE: readonly (string | null)[] = ["damaged", "backup_restore_room"];

/** An app that was not put back, and why. */
export interface Missed {
  app: string;
  error: unknown;
}

const stepOf = ({ app_id, source }: store.RestoreRow) => (source === null ? `restore:${app_id}` : "restore");

/**
 * Tells of apps that are back and run again, and ends the operation if these were all of it, at the same moment: nothing is left then that
 * would have to go on. `rows` are of one operation.
 */
export function tellRestored(
  own: Own,
  rows: readonly store.RestoreRow[],
  op: OperationHandle | null,
  isAll: boolean,
): void {
  const [first] = rows;
  if (first === undefined) return;
  const { backup_id, user_id, ip, source } = first;
  const beside = source === null ? {} : { beside: own.apps.get(first.app_id).name };
  const apps = rows.map((row) => row.source ?? row.app_id);
  own.db.tx(() => {
    const target = store.targetOf(own.db, backup_id);
    for (const { app_id } of rows) store.deleteRestore(own.db, app_id);
    own.bus.emit("backup.restored", { backup_id, target, apps, by: { user_id, ip }, ...beside });
    if (isAll) op?.done();
  });
}

/** Puts one app back. Answers what was in the way of it alone, null where nothing was; throws what is in the way of all. */
async function tryApp(own: Own, row: store.RestoreRow, op: OperationHandle | null): Promise<Missed | null> {
  const engine = own.runtime.engine();
  op?.step(stepOf(row), "running");
  try {
    const tell = (text: string) => op?.step(stepOf(row), "running", { text });
    await whileTold(own, { tell }, () => restoreApp(own, row));
    op?.step(stepOf(row), "done");
    return null;
  } catch (error) {
    const reason = error instanceof GoesOn ? error.reason : error;
    const isAlone = OF_ONE.includes(codeOf(reason)) || (await isOfApp(own, engine, reason));
    if (own.signal.aborted || !isAlone) throw error;
    own.log.warn("an app was not put back", { app: row.app_id, error });
    op?.step(stepOf(row), "failed", { text: explain(error).message });
    return { app: row.app_id, error };
  }
}

/**
 * Puts apps back one after the other, and tells of it: one that has a fault of its own keeps none of the others waiting. What was not begun
 * is given up with what is in the way of all, unless it has lost its data. `unsaved` are of the same operation and stay as they are.
 */
export async function restoreEach(
  own: Own,
  rows: readonly store.RestoreRow[],
  op: OperationHandle | null,
  unsaved: readonly Missed[] = [],
): Promise<void> {
  const back: store.RestoreRow[] = [];
  const missed = [...unsaved];
  const isOnlyOne = rows.length + unsaved.length === 1;
  try {
    for (const [index, row] of rows.entries()) {
      const one = await tryApp(own, row, op).catch((error: unknown) => {
        throw isOnlyOne || own.signal.aborted ? error : describe(own, missed, error, rows.slice(index + 1));
      });
      if (one === null) back.push(row);
      else missed.push(one);
    }
    const [first] = missed;
    if (first !== undefined) throw isOnlyOne ? first.error : describe(own, missed, null, []);
  } finally {
    // When the program ends, the next start goes on.
    if (!own.signal.aborted) {
      const opId = rows[0]?.op_id;
      if (opId) own.db.tx(() => store.deletePromised(own.db, opId));
      tellRestored(own, back, op, missed.length === 0 && back.length === rows.length);
    }
  }
}

const namesOf = (own: Own, ids: readonly string[]): string[] => {
  const names = new Map(own.apps.list().map(({ id, name }) => [id, name]));
  return ids.map((id) => names.get(id) ?? "an app that is gone");
};

/** Sentences of which each says whose it is. */
function tellMissed(own: Own, missed: readonly Missed[]): string[] {
  const names = namesOf(
    own,
    missed.map(({ app }) => app),
  );
  return missed.slice(0, MOST_NAMED).map(({ error }, index) => {
    const name = names[index] ?? "";
    const { message } = explain(error);
    return asSentence(message.split(/[\s:.,]+/).includes(name) ? message : `${name}: ${message}`);
  });
}

/** What some apps were not put back for: each for its own fault, and all that came later for what `stop` is, if anything. */
function describe(own: Own, missed: readonly Missed[], stop: unknown, later: readonly store.RestoreRow[]): NotAll {
  const errors = [...(stop === null ? [] : [stop]), ...missed.map(({ error }) => error)];
  const { code, next_step } = explain(errors.find((error) => error instanceof GoesOn) ?? errors[0]);
  const sentences = tellMissed(own, missed);
  if (missed.length > MOST_NAMED) sentences.push(`${missed.length - MOST_NAMED} more were not put back either.`);
  if (stop === null) sentences.push("All else is put back.");
  else sentences.push(asSentence(explain(stop).message));
  const ids = (begun: number) => later.filter((row) => row.begun === begun).map(({ app_id }) => app_id);
  const [waiting, untouched] = [namesOf(own, ids(store.HALF)), namesOf(own, ids(store.PROMISED))];
  if (waiting.length > 0) sentences.push(`Stopped until their data is whole, too: ${waiting.join(", ")}.`);
  if (untouched.length > 0) sentences.push(`Not begun, and as before: ${untouched.join(", ")}.`);
  return new NotAll({ code, message: sentences.join(" "), next_step });
}
