/** Backups: copies of this server's settings and apps in encrypted repositories, read back before anybody relies on them. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import { fail } from "./contract.ts";
import { backupMeanings } from "./events.ts";
import { tidyIndexes } from "./file-index.ts";
import { giveUpApp } from "./given-up.ts";
import { holdOperations, goOn as takeUp } from "./go-on.ts";
import { endHalts, keepPauses } from "./halts.ts";
import { describeHold } from "./holds.ts";
import { createLook } from "./look.ts";
import init from "./migrations/0001_backups.sql" with { type: "text" };
import remoteTargets from "./migrations/0002_remote_targets.sql" with { type: "text" };
import retention from "./migrations/0003_retention.sql" with { type: "text" };
import sources from "./migrations/0004_sources.sql" with { type: "text" };
import beside from "./migrations/0005_beside.sql" with { type: "text" };
import bandwidth from "./migrations/0006_bandwidth.sql" with { type: "text" };
import startTests from "./migrations/0007_start_tests.sql" with { type: "text" };
import putBacks from "./migrations/0008_put_backs.sql" with { type: "text" };
import stale from "./migrations/0009_stale.sql" with { type: "text" };
import goingOn from "./migrations/0010_going_on.sql" with { type: "text" };
import started from "./migrations/0011_started.sql" with { type: "text" };
import cancelled from "./migrations/0012_cancelled.sql" with { type: "text" };
import leftOut from "./migrations/0013_left_out.sql" with { type: "text" };
import half from "./migrations/0014_half.sql" with { type: "text" };
import ownDisk from "./migrations/0015_own_disk.sql" with { type: "text" };
import type { Needs, Own } from "./needs.ts";
import { listCutPutBacks } from "./put-back.ts";
import { listCutRestores } from "./restore.ts";
import { listCutObjects } from "./restore-objects.ts";
import { roomFor } from "./room.ts";
import { bindBackupRoutes } from "./routes.ts";
import { failInterrupted } from "./run-backup.ts";
import { beginDue, readHealth, readRuns, tellStale } from "./schedule.ts";
import { dropLeft } from "./snapshots.ts";
import { clearStartTests } from "./start-test.ts";
import { hasBackup } from "./store.ts";
import { watchBackups, watchChoice } from "./watched.ts";

export { plainPath } from "./browse.ts";
export { answerFile } from "./download.ts";
export { causeOf, closeOperation, codeOf, type Failure } from "./failures.ts";
export { checkFolder, closedPorts, describePlace, makePlace } from "./places.ts";
export { createRestoreCommand, type RestoreNeeds } from "./restore-command.ts";
export { roomFor } from "./room.ts";

export const backupsFeature = defineFeature({
  name: "backups",
  migrations: [
    init,
    remoteTargets,
    retention,
    sources,
    beside,
    bandwidth,
    startTests,
    putBacks,
    stale,
    goingOn,
    started,
    cancelled,
    leftOut,
    half,
    ownDisk,
  ],
  errors: fail.table,
  events: backupMeanings,
});

/** The backups of this node. */
export function createBackups(needs: Needs): Part {
  const look = createLook(needs, () => roomFor(needs));
  const own: Own = {
    ...needs,
    look,
    work: { current: null, giveWay: null },
    cancel: null,
    imageWait: null,
    drill: { at: null },
    resume: { from: 0 },
    startTests: { isClean: false },
    browse: { held: [], reading: new Map(), all: null, searches: 0, downloads: new Set() },
  };
  needs.lists.overview.add({ name: "backup", read: () => readHealth(needs) });
  needs.lists.watched.add(watchBackups(needs));
  needs.lists.recoveries.add(watchChoice(needs));
  needs.lists.holds.add((appId) => describeHold(own, appId));
  needs.lists.backupRuns.add((since) => readRuns(needs, since));
  async function goOn(): Promise<void> {
    takeUp(own, [listCutRestores, listCutPutBacks, listCutObjects]);
    await endHalts(own);
    if (own.work.current === null) await dropLeft(own);
    await clearStartTests(own);
  }
  return {
    feature: backupsFeature,
    routes: [bindBackupRoutes(own)],
    jobs: [
      { name: "backups.go_on", everyMs: seconds(15), run: goOn },
      { name: "backups.begin_due", everyMs: minutes(1), run: () => beginDue(own) },
      { name: "backups.tell_stale", everyMs: minutes(10), run: () => tellStale(own) },
    ],
    subscribe() {
      keepPauses(own);
      needs.bus.onEmit((name, data) => {
        if (name === "app.removed" && "id" in data) giveUpApp(own, String(data.id));
      });
      // Nobody waits for it: whoever stands still since a crash goes on as soon as Docker is there.
      const connected = () =>
        void goOn().catch((error: unknown) => needs.log.error("what was cut off does not go on", { error }));
      needs.runtime.watch({ connected, event: () => {} });
    },
    start() {
      look.close();
      failInterrupted(own);
      holdOperations(own);
      tidyIndexes(own, (id) => hasBackup(needs.db, id));
    },
    async stop() {
      await own.work.current;
      await Promise.all([...own.browse.reading.values()].map(({ done }) => done));
      look.close();
    },
  };
}
