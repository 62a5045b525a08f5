import type { Asker } from "../../platform/operations/index.ts";
import type { EngineSession, Passed, Snapshot } from "../engine/index.ts";
import { noteLost } from "./half-copies.ts";
import { settle, whileStill } from "./halts.ts";
import { noteHalf } from "./holds.ts";
import type { Own } from "./needs.ts";
import { modeOf, usualOf } from "./policies.ts";
import type { Halting } from "./policy-store.ts";
import { withSnapshot } from "./snapshots.ts";
import { stillDatabases } from "./still-databases.ts";
import { storeDumps } from "./store-dumps.ts";
import { storeFromSnapshot, storeVolumes } from "./volumes.ts";

/** How an app is stored. */
interface Storing {
  target: string;
  /** Whoever asked for the backup. */
  by: Asker;
  opId: string;
  /** Folder for what is made meanwhile. */
  scratch: string;
  /** Aborts when nobody waits for it any more. */
  signal: AbortSignal;
  /** Told what was stored since. */
  onPassed: (passed: Passed) => void;
}

type SnapshotApp = Snapshot["apps"][number];

/** An app in a backup. */
interface StoredApp {
  app: SnapshotApp;
  parts: Snapshot["parts"];
  /** What should be known of it, in sentences. */
  notes: string[];
  /** How many bytes it added to the target. */
  added: number;
}

/** What an app did whose volumes were not in a snapshot. */
const INSTEAD: Record<Halting, string> = {
  none: "It was copied while the app ran on.",
  pause: "The app was paused for that.",
  stop: "The app was stopped for that.",
};

function describeApp(own: Own, id: string): SnapshotApp {
  const { name, template, version } = own.apps.get(id);
  const images = Object.fromEntries(own.apps.listServices(id).map((service) => [service.name, service.image]));
  return { id, name, template, version, images };
}

/** Reads what a snapshot has of its volumes, while the app goes on. Answers the names of those that are stored then. */
async function storeBySnapshot(own: Own, session: EngineSession, id: string, how: Storing, into: StoredApp) {
  const { target, opId, onPassed } = how;
  await settle(own, id);
  const stored = await withSnapshot(own, opId, (snapshot) =>
    storeFromSnapshot(own, session, id, snapshot, { target, onProgress: onPassed }),
  );
  const instead = INSTEAD[usualOf(own, id)];
  const { name } = into.app;
  if (typeof stored === "string") {
    into.notes.push(`${name}: ${stored} ${instead}`);
    return null;
  }
  into.parts.push(...stored.parts);
  into.added += stored.added;
  for (const { name: volume, why } of stored.left)
    into.notes.push(`${volume} of ${name} could not be read from a snapshot: it ${why}. ${instead}`);
  return { but: new Set(stored.parts.map((part) => part.name)), isWhole: stored.left.length === 0 };
}

/** What is stored of an app, with how that was done and whether it is whole, for which `half` says what is in the way. */
function conclude(
  own: Own,
  stored: StoredApp,
  mode: NonNullable<SnapshotApp["mode"]>,
  half: readonly string[],
): StoredApp {
  const why = [...half, ...noteLost(own, stored.app.id, stored.parts)];
  const app: SnapshotApp = { ...stored.app, mode, ...(why.length === 0 ? {} : { half: true }) };
  return { ...stored, app, notes: [...stored.notes, ...why] };
}

/** Puts an app into a repository: dumps of its databases, then its volumes, from a snapshot or while it stands still. */
export async function storeApp(own: Own, session: EngineSession, id: string, how: Storing): Promise<StoredApp> {
  const { target, by, opId, scratch, signal, onPassed } = how;
  const stored: StoredApp = { app: describeApp(own, id), ...(await storeDumps(own, session, id, onPassed, signal)) };
  const half = noteHalf(own, id);
  const chosen = modeOf(own, id);
  const done = chosen === "snapshot" ? await storeBySnapshot(own, session, id, how, stored) : null;
  if (done?.isWhole === true) return conclude(own, stored, "snapshot", half);
  const mode = chosen === "snapshot" ? usualOf(own, id) : chosen;
  const still = stillDatabases(own, id, mode, opId, scratch);
  await whileStill(own, by, id, mode, opId, async () => {
    const isLive = mode === "none";
    const but = done?.but ?? new Set<string>();
    const rest = await storeVolumes(own, session, id, {
      target,
      isLive,
      onProgress: onPassed,
      withStill: still.withStill,
      but,
    });
    stored.parts.push(...rest.parts);
    stored.added += rest.added;
  });
  stored.notes.push(...still.notes());
  return conclude(own, stored, mode, half);
}
