import { toIso } from "../../../../lib/clock.ts";
import { days } from "../../../../lib/duration.ts";
import type { Blueprint } from "../blueprint/blueprint.ts";
import { APP_LABEL } from "../blueprint/names.ts";
import { deleteSecrets, forgetFormerSecrets } from "../blueprint/secret-store.ts";
import { dropAllDumps } from "../dumps/make-dumps.ts";
import { appEvent, moveApp, touchList } from "../move.ts";
import { pathSteps } from "../plan/host-paths.ts";
import { type AppWork, deleteApp, findApp } from "../store.ts";
import { deleteTrash, insertTrash } from "../trash-store.ts";
import { runUpdate } from "../update/run-update.ts";
import { findUpdate, forgetKept } from "../update/update-store.ts";
import { lookAtServices } from "../watch/observe-app.ts";
import { removeContainers, removeVolumes } from "./ensure.ts";
import { deleteSteps } from "./step-store.ts";
import { installSteps, startSteps, stopSteps } from "./steps.ts";
import { runSteps, type Step, type Work } from "./work.ts";

/** How long the data of an uninstalled app is kept. */
const TRASH_MS = days(7);

const stoppedByUs = () => true;

/** Notes the new containers, then ends the work in one transaction together with its operation. */
async function settle(work: Work, end: () => void): Promise<void> {
  const { own, engine, blueprint, op } = work;
  await lookAtServices(own, engine, blueprint, stoppedByUs);
  own.db.tx(() => {
    end();
    deleteSteps(own.db, blueprint.app.id);
    op.done();
  });
}

async function install(work: Work): Promise<void> {
  const { own, blueprint, op } = work;
  const { app } = blueprint;
  await runSteps(work, installSteps(blueprint));
  await settle(work, () => {
    const installed_at = app.installed_at ?? toIso(own.clock.now());
    moveApp(own, app.id, "work_running", { work: null, op_id: null, installed_at });
    deleteTrash(own.db, app.id);
    forgetFormerSecrets(own.db, app.id);
    own.bus.emit("app.installed", appEvent(app, "running", op.by));
  });
}

async function start(work: Work): Promise<void> {
  const { own, blueprint } = work;
  await runSteps(work, startSteps(blueprint));
  await settle(work, () => {
    moveApp(own, blueprint.app.id, "work_running", { work: null, op_id: null });
    forgetFormerSecrets(own.db, blueprint.app.id);
    own.bus.emit("app.started", appEvent(blueprint.app, "running", work.op.by));
  });
}

async function stop(work: Work): Promise<void> {
  const { own, blueprint } = work;
  await runSteps(work, stopSteps);
  await settle(work, () => {
    moveApp(own, blueprint.app.id, "work_stopped", { work: null, op_id: null });
    own.bus.emit("app.stopped", appEvent(blueprint.app, "stopped", work.op.by));
  });
}

async function restart(work: Work): Promise<void> {
  const { own, blueprint } = work;
  await runSteps(work, restartSteps(blueprint));
  await settle(work, () => {
    moveApp(own, blueprint.app.id, "work_running", { work: null, op_id: null });
    forgetFormerSecrets(own.db, blueprint.app.id);
    own.bus.emit("app.started", appEvent(blueprint.app, "running", work.op.by));
  });
}

/** Between stopping and starting. */
const turnStep: Step = {
  step: "turn",
  title: "Turn round",
  async run({ own, blueprint }) {
    moveApp(own, blueprint.app.id, "work_starting");
  },
};

const restartSteps = (blueprint: Blueprint): Step[] => {
  const looks = pathSteps(blueprint.project);
  // What may not start is not stopped.
  return [...looks, ...stopSteps, turnStep, ...startSteps(blueprint).slice(looks.length)];
};

/** Keeps the volumes of an app for a while, or deletes them. */
async function settleData(work: Work): Promise<void> {
  const { own, engine, blueprint } = work;
  const app = findApp(own.db, blueprint.app.id);
  if (!app) return;
  const volumes = (await engine.listVolumes({ [APP_LABEL]: app.id })).map(({ Name }) => Name);
  if (app.delete_data === 1 || volumes.length === 0) {
    await removeVolumes(work, app.id);
    await dropAllDumps(own, app.id);
    deleteSecrets(own.db, app.id);
    deleteTrash(own.db, app.id);
    forgetKept(own.db, app.id);
    return;
  }
  const { display_name, icon } = blueprint.manifest;
  // In the middle of an update only the data before it is known to be good.
  const update = findUpdate(own.db, app.id);
  const generation = update?.ended_at === null ? update.before.generation : app.generation;
  const deletedAt = own.clock.now();
  insertTrash(own.db, {
    app_id: app.id,
    name: app.name,
    template: app.template,
    display_name,
    icon,
    volumes: JSON.stringify(volumes),
    deleted_at: toIso(deletedAt),
    purge_at: toIso(deletedAt + TRASH_MS),
    generation,
  });
}

async function uninstall(work: Work): Promise<void> {
  const { own, blueprint, op } = work;
  const { app } = blueprint;
  await runSteps(work, uninstallSteps);
  own.db.tx(() => {
    deleteApp(own.db, app.id);
    touchList(own);
    own.bus.emit("app.uninstalled", appEvent(app, "uninstalling", op.by));
    own.bus.emit("app.removed", { id: app.id });
    op.done();
  });
}

/** Data that is kept must be whole: its programs get the time to write it down. */
async function stopForGood({ own, engine, blueprint: { app } }: Work): Promise<void> {
  if (findApp(own.db, app.id)?.delete_data === 1) return;
  for (const { Id } of await engine.listContainers({ [APP_LABEL]: app.id })) await engine.stopContainer(Id, null);
}

const uninstallSteps: Step[] = [
  { step: "stop", title: "Stop its services", run: stopForGood },
  { step: "containers", title: "Remove its containers", run: removeContainers },
  { step: "data", title: "Settle its data", run: settleData },
];

/** What each kind of work does; every one can run again from its beginning. */
export const WORK_KINDS: Record<
  AppWork,
  { title: string; run(work: Work): Promise<void>; steps(blueprint: Blueprint): Step[] }
> = {
  install: { title: "Install", run: install, steps: installSteps },
  start: { title: "Start", run: start, steps: startSteps },
  stop: { title: "Stop", run: stop, steps: () => stopSteps },
  restart: { title: "Restart", run: restart, steps: restartSteps },
  uninstall: { title: "Uninstall", run: uninstall, steps: () => uninstallSteps },
  update: { title: "Update", run: runUpdate, steps: () => [] },
  rollback: { title: "Go back with", run: runUpdate, steps: () => [] },
};
