import { AppError } from "../../../../kernel/http/errors.ts";
import { toIso } from "../../../../lib/clock.ts";
import type { Asker } from "../../../platform/operations/index.ts";
import { manifestOf } from "../blueprint/blueprint.ts";
import { fail, type UpdateChoiceInput } from "../contract.ts";
import { appEvent } from "../move.ts";
import type { Own } from "../needs.ts";
import { isBusy } from "../status.ts";
import { type AppRow, findApp } from "../store.ts";
import { updateApp } from "./ask-update.ts";
import { type ChoiceRow, deleteChoice, findChoice, listDueChoices, writeChoice } from "./choice-store.ts";
import { forgetUpdates } from "./known-updates.ts";
import { isNight, nextNight } from "./night.ts";
import { assertPassed, checkUpdate, findWay } from "./plan-update.ts";

const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const nextDue = ({ clock }: Pick<Own, "clock">): string => toIso(nextNight(clock.now(), ownZone()));

/**
 * Writes down what is to become of the newest version of an app: it is not offered any more, or installed in the coming night. Throws
 * `app_up_to_date`, `app_update_blocked`, `app_never_ran`.
 */
export async function chooseUpdate(own: Own, by: Asker, app: AppRow, input: UpdateChoiceInput): Promise<void> {
  if (app.status === "error" && app.installed_at === null) throw fail("app_never_ran", { name: app.name });
  const way = await findWay(own, app);
  if (way?.newest.manifest.version !== input.version)
    throw fail("app_up_to_date", { name: app.name, version: app.version });
  const permissions = input.choice === "tonight" ? (input.permissions ?? []) : [];
  // What is in the way now is told now, to somebody who is there.
  if (input.choice === "tonight") assertPassed(app.name, await checkUpdate(own, app, way, permissions));
  const due_at = input.choice === "tonight" ? nextDue(own) : null;
  const { version, revision } = way.newest.manifest;
  own.db.tx(() => {
    const current = findApp(own.db, app.id);
    if (current?.version !== app.version) throw fail("app_changed", { name: app.name });
    writeChoice(own.db, { app_id: app.id, kind: input.choice, version, revision, permissions, due_at, ...by });
    own.bus.emit("app.update_chosen", { ...appEvent(app, app.status, by), choice: input.choice, to: version, due_at });
    forgetUpdates(own, app.id);
  });
}

/** Takes back what was chosen; nothing happens where nothing was. */
export function takeBackChoice(own: Own, by: Asker, app: AppRow): void {
  own.db.tx(() => {
    const choice = findChoice(own.db, app.id);
    if (!choice) return;
    deleteChoice(own.db, app.id);
    const told = { choice: "none" as const, to: choice.version, due_at: null };
    own.bus.emit("app.update_chosen", { ...appEvent(app, app.status, by), ...told });
    forgetUpdates(own, app.id);
  });
}

function postpone(own: Own, choice: ChoiceRow): void {
  own.db.tx(() => writeChoice(own.db, { ...choice, due_at: nextDue(own) }));
}

/** Tells that an update which was wished for the night did not begin; the wish is over. */
function refuse(own: Own, app: AppRow, choice: ChoiceRow, cause: string): void {
  own.db.tx(() => {
    deleteChoice(own.db, app.id);
    own.bus.emit("app.update_not_begun", { ...appEvent(app, app.status), to: choice.version, cause });
    forgetUpdates(own, app.id);
  });
}

async function beginChosen(own: Own, choice: ChoiceRow): Promise<void> {
  const { app_id, version, revision, permissions, user_id, ip } = choice;
  const app = findApp(own.db, app_id);
  if (!app || choice.due_at === null) return;
  // The server was off all night, Docker is away or the app is being worked on: the next minute or the next night will do.
  if (!isNight(Date.parse(choice.due_at), own.clock.now())) return postpone(own, choice);
  if (isBusy(app.status) || !own.runtime.engine()) return;
  const newest = (await findWay(own, app))?.newest.manifest;
  if (newest?.version !== version || newest.revision !== revision) {
    const is = newest ? `${newest.version} has come out meanwhile` : `it is on ${manifestOf(app).version} already`;
    return refuse(own, app, choice, `${version} is not what it can be updated to any more: ${is}.`);
  }
  try {
    await updateApp(own, { user_id, ip }, app, { version, permissions });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Somebody was faster with something else, or too much waits: the next minute will do.
    if (["app_busy", "app_changed", "pulls_busy"].includes(error.code)) return;
    refuse(own, app, choice, error.message);
  }
}

/** Begins the updates whose night it is, one after the other. */
export async function beginChosenUpdates(own: Own): Promise<void> {
  for (const choice of listDueChoices(own.db, toIso(own.clock.now()))) {
    await beginChosen(own, choice).catch((error: unknown) =>
      own.log.error("an update of the night did not begin", { app_id: choice.app_id, error }),
    );
  }
}
