/** Apps: what is installed from the catalogue, run on the Docker Engine, and kept true to its containers. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { hours, minutes, seconds } from "../../../lib/duration.ts";
import type { Asker } from "../../platform/operations/index.ts";
import { manifestOf, readBlueprint } from "./blueprint/blueprint.ts";
import { draftService, type ServiceDraft } from "./blueprint/draft-service.ts";
import { knownSecrets } from "./blueprint/known-secrets.ts";
import { volumeName } from "./blueprint/names.ts";
import {
  type App,
  fail,
  type InstallInput,
  type InstallResult,
  type OperationStarted,
  type UpdateInput,
} from "./contract.ts";
import { createDiskUseCache, sumDiskBytes, sumVolumeBytes } from "./disk-use.ts";
import type { DeclaredDump } from "./dumps/databases.ts";
import { appMeanings } from "./events.ts";
import { type AppFacts, listAppFacts } from "./facts-store.ts";
import { type PullFor, pullImage } from "./images/pull-image.ts";
import { createPullList, type PullList } from "./images/pull-list.ts";
import init from "./migrations/0001_apps.sql" with { type: "text" };
import updates from "./migrations/0002_updates.sql" with { type: "text" };
import crashes from "./migrations/0003_crashes.sql" with { type: "text" };
import formerSecrets from "./migrations/0004_former_secrets.sql" with { type: "text" };
import updateChoices from "./migrations/0005_update_choices.sql" with { type: "text" };
import dumps from "./migrations/0006_dumps.sql" with { type: "text" };
import portPlaces from "./migrations/0007_port_places.sql" with { type: "text" };
import type { Needs, Own } from "./needs.ts";
import { bindAppRoutes } from "./routes.ts";
import { listRunning, listServices, type RunningService, type ServiceRow } from "./service-store.ts";
import { APP_SETTINGS } from "./settings.ts";
import { createAppState } from "./state.ts";
import { type AppRow, countApps, findApp, type InstalledApp, listAppNames, listApps, listInstalled } from "./store.ts";
import { purgeDueTrash } from "./trash.ts";
import { rollBackApp, updateApp } from "./update/ask-update.ts";
import { beginChosenUpdates } from "./update/choose-update.ts";
import { lookForUpdates } from "./update/known-updates.ts";
import { sweepKept } from "./update/sweep-kept.ts";
import { listWayBackImages } from "./update/way-back-images.ts";
import { watchContainers } from "./watch/watch.ts";
import { watchApps } from "./watched.ts";
import { getApp, restartApp, startApp, stopApp, uninstallApp } from "./work/begin-work.ts";
import { type Clone, type ClonePlan, planClone, prepareClone } from "./work/clone-app.ts";
import { installApp } from "./work/install.ts";
import { holdOperations, resumeWorks } from "./work/launch.ts";
import { prepareRehearsal, type Rehearsal, removeRehearsals } from "./work/rehearse.ts";

export { toHealthcheck } from "./blueprint/container-spec.ts";
export type { ServiceDraft } from "./blueprint/draft-service.ts";
export { memoryLimitsOf } from "./blueprint/limits.ts";
export { APP_LABEL, appLabels, NODE_LABEL, nodeId, VOLUME_LABEL } from "./blueprint/names.ts";
export type { AppEvents } from "./contract.ts";
export { type Database, type Dumper, dumpName, findDatabases } from "./dumps/databases.ts";
export { DumpFault, readDump } from "./dumps/read-dump.ts";
export type { AppFacts } from "./facts-store.ts";
export { parseImageReference, writeImageReference } from "./images/image-reference.ts";
export { findImageHere, listSources } from "./images/list-sources.ts";
export type { PullList } from "./images/pull-list.ts";
export type { ServiceRow } from "./service-store.ts";
export type { AppRow } from "./store.ts";
export { listKeptIds } from "./update/sweep-images.ts";
export { AppFailure, explainEngine, explainPull } from "./work/failure.ts";
export type { Rehearsal } from "./work/rehearse.ts";

export const appsFeature = defineFeature({
  name: "apps",
  migrations: [init, updates, crashes, formerSecrets, updateChoices, dumps, portPlaces],
  errors: fail.table,
  settings: APP_SETTINGS,
  events: appMeanings,
});

/** What a template says of backups. */
export interface AppBackup {
  consistency: "dump" | "pause" | "stop" | "live";
  /** Databases that can be dumped. */
  dumps: readonly DeclaredDump[];
}

/** The apps of this node. `start` and `stop` are the node's own; those of one app carry its name. */
export interface Apps extends Part {
  list(): AppRow[];
  /** The images that are being pulled, whatever for. */
  pulls: PullList;
  /**
   * Pulls an image once there is a place for it, by the logins and the mirror of this node, as a step of an operation. Answers the name to
   * make containers of. Throws AppFailure, and EngineError where the engine is gone.
   */
  pullImage(wanted: PullFor, step: string, image: string): Promise<string>;
  /** Throws `app_not_found`. */
  get(id: string): AppRow;
  /** Ids and names only: the rest of a row is long. */
  names(): { id: string; name: string }[];
  /** What may be shown to nobody who may not read the app's secrets; none of an app that there is not. */
  secretsOf(appId: string): string[];
  /** Apps with the time at which each first ran; null while it has not. */
  listInstalled(): InstalledApp[];
  /** The first `limit` apps in few words. */
  listFacts(limit: number): AppFacts[];
  /** How many apps are installed (or being installed), and how many of them run. */
  count(): { installed: number; running: number };
  /** What was last seen of an app's containers. */
  listServices(appId: string): ServiceRow[];
  /** Names and images of an app's services, also of one that never ran. Throws `app_not_found`. */
  imagesOf(appId: string): { name: string; image: string }[];
  /** The volumes of an app, by the name that it gives them, with what each is called on the engine. Throws `app_not_found`. */
  volumesOf(appId: string): { name: string; source: string }[];
  /** How the template of an app wants it to be backed up. Throws `app_not_found`. */
  backupOf(appId: string): AppBackup;
  /** A service of an app, for whoever needs a container like its own; null where there is none. Throws `app_not_found`. */
  draftOf(appId: string, service: string): ServiceDraft | null;
  /** A copy of an app to be started once, apart from everything. Throws `app_not_found`, `runtime_unavailable` and AppFailure. */
  rehearse(appId: string): Promise<Rehearsal>;
  /** Removes what such copies left when the program ended in their middle. Only while there is none. */
  removeRehearsals(): Promise<void>;
  /** Says that an app is about to be paused on purpose, for a moment: it counts as running. What it answers ends that. */
  freeze(appId: string): () => void;
  /** The containers of all apps that run now. */
  listRunning(): RunningService[];
  /** Bytes of an app's volumes and of what its containers wrote outside them; null until measured. */
  diskBytes(appId: string): number | null;
  /** Bytes of an app's volumes, measured anew; null where that cannot be told. */
  measureVolumes(appId: string): Promise<number | null>;
  /** Begins to install an app. Throws what `POST /api/apps` answers. */
  installApp(by: Asker, input: InstallInput): Promise<InstallResult>;
  /** Starts a stopped or failed app; one that runs is left alone. Throws `app_not_found`, `app_busy`, `runtime_unavailable`. */
  startApp(by: Asker, id: string): App;
  /** Stops an app; one that is stopped is left alone. Throws as `startApp`. */
  stopApp(by: Asker, id: string): App;
  /** Stops and starts an app. Throws as `startApp`. */
  restartApp(by: Asker, id: string): App;
  /** Looks whether there can be an app like another one, under a name of its own. Throws what `planClone` says. */
  planClone(id: string, name: string, permissions: readonly string[]): Promise<ClonePlan>;
  /** The same, to make it; what `permissions` confirm is kept for it. Throws what `prepareClone` says. */
  prepareClone(id: string, name: string, permissions: readonly string[]): Promise<Clone>;
  /** Removes an app; its data goes with it or is kept for a while. Throws as `startApp`. */
  uninstallApp(by: Asker, id: string, deleteData: boolean): OperationStarted;
  /** Begins to update an app. Throws what `POST /api/apps/{id}/update` answers. */
  updateApp(by: Asker, id: string, input: UpdateInput): Promise<OperationStarted>;
  /** Begins to go back to the version before the latest update. Throws what `POST /api/apps/{id}/rollback` answers. */
  rollBackApp(by: Asker, id: string): Promise<OperationStarted>;
}

/** The apps of a node, with what is known of them beyond the database. */
export function createApps(needs: Needs): Apps {
  const own: Own = { ...needs, state: createAppState(createDiskUseCache(needs)), pulls: createPullList(needs.clock) };
  const { db, runtime, lists } = needs;
  lists.overview.add({ name: "apps", read: () => countApps(db) });
  // An app that Docker started again at once has no event for that.
  const isGood = (entity: string) => findApp(db, entity.slice("app:".length))?.status === "running";
  lists.watched.add(watchApps(needs));
  lists.keptImages.add(() => listApps(db).flatMap(({ id }) => listServices(db, id).map(({ image }) => image)));
  lists.keptImages.add(() => listWayBackImages(own));
  lists.recoveries.add({ metric: "app_crashed", isGood });
  lists.starters.add((name, by, options) => installApp(own, by, { template: name, name, config: options }));
  return {
    feature: appsFeature,
    routes: [bindAppRoutes(own)],
    jobs: [
      { name: "apps.purge_trash", everyMs: hours(1), run: () => purgeDueTrash(own) },
      { name: "apps.sweep_kept", everyMs: hours(1), run: () => sweepKept(own) },
      { name: "apps.begin_chosen_updates", everyMs: minutes(1), run: () => beginChosenUpdates(own) },
      { name: "apps.look_for_updates", everyMs: hours(1), run: () => lookForUpdates(own) },
      { name: "apps.end_unasked_pulls", everyMs: seconds(15), run: () => own.pulls.endUnasked() },
      {
        name: "apps.resume",
        everyMs: seconds(15),
        run: () => {
          if (runtime.engine()) resumeWorks(own, listApps(db));
        },
      },
    ],
    subscribe() {
      runtime.watch(watchContainers(own));
      needs.accessChanges.onChange(() => void own.pulls.endUnasked());
    },
    start: () => holdOperations(own, listApps(db)),
    pulls: own.pulls,
    pullImage: (wanted, step, image) => pullImage(own, wanted, step, image),
    async stop() {
      await Promise.all([...own.state.works.values()].map(({ done }) => done));
    },
    list: () => listApps(db),
    get: (id) => getApp(own, id),
    names: () => listAppNames(db),
    secretsOf(appId) {
      const app = findApp(db, appId);
      return app === null ? [] : knownSecrets(own, app);
    },
    listInstalled: () => listInstalled(db),
    listFacts: (limit) => listAppFacts(db, limit),
    count: () => countApps(db),
    listServices: (appId) => listServices(db, appId),
    imagesOf(appId) {
      const seen = listServices(db, appId);
      return seen.length > 0 ? seen : readBlueprint(own, getApp(own, appId)).project.services.slice();
    },
    volumesOf(appId) {
      const app = getApp(own, appId);
      return manifestOf(app).volumes.map(({ name }) => ({ name, source: volumeName(app, name) }));
    },
    backupOf(appId) {
      const { consistency, dumps: declared = [] } = manifestOf(getApp(own, appId)).backup;
      return { consistency, dumps: declared };
    },
    draftOf: (appId, service) => draftService(own, getApp(own, appId), service),
    rehearse: async (appId) => prepareRehearsal(own, runtime.requireEngine(), getApp(own, appId)),
    removeRehearsals: () => removeRehearsals(own, runtime.requireEngine()),
    freeze(appId) {
      own.state.frozen.add(appId);
      return () => void own.state.frozen.delete(appId);
    },
    listRunning: () => listRunning(db),
    diskBytes: (appId) => sumDiskBytes(db, own.state.disk.latest(), appId),
    measureVolumes: async (appId) => sumVolumeBytes(await own.state.disk.measured(), appId),
    installApp: (by, input) => installApp(own, by, input),
    startApp: (by, id) => startApp(own, by, id),
    stopApp: (by, id) => stopApp(own, by, id),
    restartApp: (by, id) => restartApp(own, by, id),
    planClone: (id, name, permissions) => planClone(own, id, name, permissions),
    prepareClone: (id, name, permissions) => prepareClone(own, id, name, permissions),
    uninstallApp: (by, id, deleteData) => uninstallApp(own, by, id, deleteData),
    updateApp: (by, id, input) => updateApp(own, by, getApp(own, id), input),
    rollBackApp: async (by, id) => await rollBackApp(own, by, getApp(own, id)),
  };
}
