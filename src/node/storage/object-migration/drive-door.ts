import { COMPONENT, DRIVE_BUCKET } from "../objects/index.ts";
import { fail } from "./contract.ts";
import { copyObject } from "./copy-object.ts";
import type { RunWork } from "./run.ts";
import * as store from "./store.ts";

/** How the Drive gets at files that the previous store holds still. */
export interface DriveDoor {
  require(): void;
  bring(sha256: string): Promise<boolean>;
}

/** Made once; nothing is asked of anybody while there is no previous store. */
export function createDriveDoor(work: RunWork): DriveDoor {
  const { db, components, state, session } = work;

  function check(): void {
    components.require(COMPONENT);
    const paused = state.pausedBy();
    if (paused !== null) throw fail("drive_paused", { reason: paused.message, error_code: paused.code });
  }

  return {
    require: check,
    async bring(sha256) {
      const row = state.read();
      if (row === null || row.phase === "done" || !state.isDriveElsewhere()) return false;
      check();
      const bucket = store.findBucket(db, DRIVE_BUCKET);
      if (session.open === null || bucket === null)
        throw fail("drive_paused", { reason: "Its files are still being looked for: try again in a moment." });
      return await copyObject({ ...work, legacy: session.open.legacy }, bucket, sha256);
    },
  };
}
