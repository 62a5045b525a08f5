/** The Drive: files and folders of people, each with a Drive of their own, kept in the object store by their content. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { hours } from "../../../lib/duration.ts";
import { sweepUploads } from "./chunked-upload.ts";
import { createContents } from "./contents.ts";
import { fail } from "./contract.ts";
import { driveMeanings } from "./events.ts";
import { type Own, purgeTrash } from "./logic.ts";
import init from "./migrations/0001_drive.sql" with { type: "text" };
import uploads from "./migrations/0002_uploads.sql" with { type: "text" };
import versions from "./migrations/0003_versions.sql" with { type: "text" };
import type { By, Needs } from "./needs.ts";
import { type PutBack, type PutBackResult, putBack } from "./put-back.ts";
import { bindDriveRoutes } from "./routes.ts";
import { createRunningSums } from "./running-sums.ts";
import { countFiles } from "./store.ts";
import { purgeVersions } from "./versions.ts";

export { type DriveCopy, openDriveCopy } from "./copy-store.ts";

export const driveFeature = defineFeature({
  name: "drive",
  migrations: [init, uploads, versions],
  errors: fail.table,
  events: driveMeanings,
});

/** The Drive as other features have it. */
export interface Drive extends Part {
  /** Puts files of a copy back into the Drive of whoever `by` names. Throws what a full Drive or disk throws. */
  putBack(by: By, asked: PutBack): Promise<PutBackResult>;
}

/** Makes the Drive. */
export function createDrive(needs: Needs): Drive {
  const own: Own = { ...needs, contents: createContents(needs), sums: createRunningSums(), finishing: new Map() };
  // Files go with their account, so whoever deletes it is told.
  needs.lists.belongings.add((userId) => {
    const files = countFiles(needs.db, userId);
    return files === 0 ? null : `${files} ${files === 1 ? "file" : "files"} in the Drive`;
  });
  async function purge(signal: AbortSignal): Promise<void> {
    purgeTrash(own);
    purgeVersions(own);
    await sweepUploads(own, signal);
    await own.contents.sweep(signal);
  }
  return {
    feature: driveFeature,
    routes: [bindDriveRoutes(own)],
    putBack: (by, asked) => putBack(own, by, asked),
    jobs: [{ name: "drive-purge", everyMs: hours(1), run: purge }],
  };
}
