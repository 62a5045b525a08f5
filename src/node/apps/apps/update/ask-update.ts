import { toIso } from "../../../../lib/clock.ts";
import type { Asker } from "../../../platform/operations/index.ts";
import { manifestOf } from "../blueprint/blueprint.ts";
import { ensureSecrets } from "../blueprint/secrets.ts";
import { fail, type OperationStarted, type UpdateInput } from "../contract.ts";
import { hasDatabases } from "../dumps/make-dumps.ts";
import { moveApp } from "../move.ts";
import type { Own } from "../needs.ts";
import { confirmNext } from "../plan/host-paths.ts";
import { nextStatus } from "../status.ts";
import { type AppRow, findApp } from "../store.ts";
import { assertMayRun } from "../work/holds.ts";
import { launchWork } from "../work/launch.ts";
import { deleteChoice } from "./choice-store.ts";
import { assertPassed, checkUpdate, drawNextSide, drawReturn, findWay, sideToReturnTo } from "./plan-update.ts";
import { stepName } from "./run-update.ts";
import { currentSide, drawSide } from "./side.ts";
import { FIRST_PLACE, type UpdateStep } from "./update-machine.ts";
import { listKept, type Side, type UpdateRow, writeUpdate } from "./update-store.ts";

const TITLES: Partial<Record<UpdateStep, (version: string) => string>> = {
  pull: () => "Download what is new while it runs",
  dump: () => "Let its databases write what they have",
  stop: () => "Stop its services",
  copy: () => "Copy its data and compare the copy",
  switch: (version) => `Change to ${version}`,
  run: (version) => `Start ${version}`,
  health: (version) => `Wait until ${version} works, and stays so`,
  commit: () => "Keep the version before for seven days",
};

function plannedSteps(
  kind: UpdateRow["kind"],
  hops: readonly Side[],
  dumps: boolean,
): { step: string; title: string }[] {
  const title = (step: UpdateStep, hop: number) => ({
    step: stepName({ step, hop, hops: [...hops] }),
    title: TITLES[step]?.(hops[hop]?.version ?? "") ?? step,
  });
  const before: UpdateStep[] =
    kind === "update" ? ["pull", ...(dumps ? (["dump"] as const) : []), "stop", "copy"] : ["pull", "stop"];
  return [
    ...before.map((step) => title(step, 0)),
    ...hops.flatMap((_, hop) => (["switch", "run", "health"] as const).map((step) => title(step, hop))),
    title("commit", hops.length - 1),
  ];
}

/** Throws `app_busy` for an app that something is done with or that must not run, `app_never_ran` for one that was never there. */
function assertFree(own: Own, app: AppRow, kind: UpdateRow["kind"]): void {
  if (app.status === "error" && app.installed_at === null) throw fail("app_never_ran", { name: app.name });
  if (!nextStatus(app.status, kind)) throw fail("app_busy", { name: app.name, status: app.status });
  assertMayRun(own, app);
}

/** Writes the update into the app's row and begins it. */
function begin(
  own: Own,
  by: Asker,
  app: AppRow,
  kind: UpdateRow["kind"],
  before: Side,
  hops: Side[],
): OperationStarted {
  const op_id = own.db.tx(() => {
    const current = findApp(own.db, app.id);
    if (!current || current.config !== app.config || current.version !== app.version)
      throw fail("app_changed", { name: app.name });
    assertFree(own, current, kind);
    for (const side of hops) ensureSecrets(own, app.id, manifestOf(side).secrets);
    const { display_name } = manifestOf(app);
    const version = hops.at(-1)?.version ?? "";
    const op = own.operations.begin({
      kind: `app.${kind}`,
      by,
      subject_id: app.id,
      title: kind === "update" ? `Update ${display_name} to ${version}` : `Go back to ${display_name} ${version}`,
      steps: plannedSteps(
        kind,
        hops,
        hasDatabases(before, drawSide(own, app, before).project) && current.status !== "stopped",
      ),
    });
    writeUpdate(own.db, {
      app_id: app.id,
      kind,
      op_id: op.id,
      before,
      hops,
      was_up: current.status !== "stopped",
      ...FIRST_PLACE,
      failure: null,
      started_at: toIso(own.clock.now()),
      down_at: null,
      down_ms: null,
      ended_at: null,
    });
    // What was wished for the night begins now, or is overtaken.
    deleteChoice(own.db, app.id);
    moveApp(own, app.id, kind, { work: kind, op_id: op.id });
    return op.id;
  });
  launchWork(own, app.id);
  return { op_id };
}

/**
 * Begins to update an app to the newest version of the catalogue. Throws `app_busy`, `app_never_ran`, `app_up_to_date`,
 * `app_update_blocked`, `app_changed`, `pulls_busy`, `runtime_unavailable`.
 */
export async function updateApp(own: Own, by: Asker, app: AppRow, input: UpdateInput): Promise<OperationStarted> {
  assertFree(own, app, "update");
  own.runtime.requireEngine();
  const way = await findWay(own, app);
  const isOther = input.version !== undefined && input.version !== way?.newest.manifest.version;
  if (!way || isOther) throw fail("app_up_to_date", { name: app.name, version: app.version });
  const permissions = input.permissions ?? [];
  assertPassed(app.name, await checkUpdate(own, app, way, permissions));
  const generation = Math.max(app.generation, ...listKept(own.db, app.id).map((kept) => kept.generation)) + 1;
  own.pulls.assertRoom(by);
  const hops: Side[] = [];
  for (const template of way.path ?? []) hops.push(await drawNextSide(own, app, template, permissions, generation));
  return begin(own, by, app, "update", currentSide(own, app), hops);
}

/**
 * Begins to go back to the version before the latest update, with its data as it was then. Throws `app_busy`, `app_no_way_back`,
 * `app_changed`, `runtime_unavailable`, and `path_unconfirmed` for a path that is neither confirmed nor among `permissions`.
 */
export async function rollBackApp(
  own: Own,
  by: Asker,
  app: AppRow,
  permissions: readonly string[] = [],
): Promise<OperationStarted> {
  assertFree(own, app, "rollback");
  own.runtime.requireEngine();
  const { now, back } = sideToReturnTo(own, app);
  const config = await confirmNext(own, drawReturn(own, app, back), permissions);
  return begin(own, by, app, "rollback", now, [{ ...back, config: JSON.stringify(config) }]);
}
