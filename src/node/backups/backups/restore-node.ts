import type { Database } from "bun:sqlite";
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { closeDatabase, openDatabase } from "../../../kernel/db/open.ts";
import { createStore, type Store } from "../../../kernel/db/store.ts";
import { createSeal, loadSealKey, type Seal } from "../../../kernel/seal.ts";
import type { Clock } from "../../../lib/clock.ts";
import { isOlderVersion } from "../../../lib/version-order.ts";
import { failStopped } from "../../platform/operations/index.ts";
import {
  type EngineSession,
  type Snapshot,
  type SnapshotPart,
  startEngine,
  type TargetPlace,
} from "../engine/index.ts";
import { insteadOf } from "./given-up.ts";
import { describeHalf, halfOf } from "./half-copies.ts";
import { backupOf } from "./holds.ts";
import { writeObjectsFolder } from "./objects-folder.ts";
import { hasObjects, KEY_FILE, MOST_KEY_BYTES } from "./objects-parts.ts";
import { describePlace, sealPlace } from "./places.ts";
import { markRestored } from "./restored-store.ts";
import { markHalf } from "./store.ts";

const DATABASE = "main.db";
const MOST_LOOKED = 200;
const DEVELOPMENT = "0.0.0-dev";

/** The settings that come back, before anybody uses them. */
export interface Opened {
  db: Store;
  seal: Seal;
}

/** What is restored, from where and to where. */
export interface NodeRestore {
  place: TargetPlace;
  /** Recovery key or passphrase. */
  typed: string;
  /** Null: the newest backup that has the settings. */
  backup: string | null;
  /** Folder of the node's data; missing or empty. */
  folder: string;
  /** Of this program. */
  version: string;
  clock: Clock;
  print: (line: string) => void;
  /** Brings the database of an older program up to date, for what is written into it here. */
  migrate(database: Database): void;
  /** Called with what comes back before it gets its name. */
  along(opened: Opened): void;
}

/** Throws Error where something lies that a restore would mix with. */
function assertEmpty(folder: string): void {
  if (!existsSync(folder)) return;
  if (readdirSync(folder).length > 0)
    throw new Error(
      `${folder} is not empty, so nothing was changed. Stop the node and move that folder away, or name another one: --data DIR`,
    );
}

const settingsOf = ({ parts }: Snapshot): SnapshotPart[] =>
  parts.filter(
    ({ app, name, size }) => app === null && (name === DATABASE || (name === KEY_FILE && size <= MOST_KEY_BYTES)),
  );

async function choose(engine: EngineSession, wanted: string | null): Promise<Snapshot> {
  if (wanted !== null) {
    const snapshot = await engine.snapshot(wanted);
    if (settingsOf(snapshot).length === 2) return snapshot;
    throw new Error(`The backup ${wanted} has apps alone and no settings. Choose another one, or leave --backup out.`);
  }
  let newest: Snapshot | null = null;
  for (const id of (await engine.list()).slice(-MOST_LOOKED)) {
    const snapshot = await engine.snapshot(id).catch(() => null);
    if (snapshot === null || settingsOf(snapshot).length !== 2) continue;
    if (newest === null || newest.created_at < snapshot.created_at) newest = snapshot;
  }
  if (!newest) throw new Error("No backup there has the settings of a node, so there is nothing to bring back.");
  return newest;
}

function assertReadable({ node }: Snapshot, version: string): void {
  if (version === DEVELOPMENT || node.version === DEVELOPMENT || !isOlderVersion(version, node.version)) return;
  throw new Error(
    `This backup was made by Orrery ${node.version}, and this is ${version}. Install ${node.version} or newer, then try again.`,
  );
}

async function writePart(engine: EngineSession, part: SnapshotPart, folder: string): Promise<void> {
  const file = await open(join(folder, part.name), "wx", 0o600);
  try {
    for await (const bytes of engine.read(part)) await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Tells the restored database where its backup lies now, and that the data of its apps is still to come. */
function prepare(
  folder: string,
  snapshot: Snapshot,
  { place, clock, migrate, along }: Pick<NodeRestore, "place" | "clock" | "migrate" | "along">,
): void {
  const raw = openDatabase(join(folder, DATABASE));
  try {
    const db = createStore(raw);
    const said = raw.query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)").get();
    if (said?.integrity_check !== "ok") throw new Error("The database in this backup is damaged. Choose another one.");
    migrate(raw);
    const seal = createSeal(loadSealKey(join(folder, KEY_FILE), false));
    const source = backupOf(snapshot.created_at);
    db.tx(() => {
      const over = markRestored(db, {
        backup: snapshot.id,
        at: snapshot.created_at,
        bytes: snapshot.parts.reduce((sum, { size }) => sum + size, 0),
        apps: snapshot.parts.flatMap(({ kind, app }) => (kind === "volume" && app !== null ? [app] : [])),
        path: describePlace(place),
        place: (id) => sealPlace({ seal }, id, place),
        hasObjects: hasObjects(snapshot),
      });
      for (const id of over) failStopped({ db, clock }, id, insteadOf("this server is put back", source));
      const half = halfOf(snapshot).map(({ id }) => id);
      markHalf(db, snapshot.id, half);
    });
    along({ db, seal });
  } finally {
    closeDatabase(raw);
  }
}

/**
 * Brings a node's settings, users and secrets back into an empty folder; the data of its apps follows when it starts. What comes is
 * put together in a folder beside it, which gets its name when it is whole. Throws Error with what to do.
 */
export async function restoreNode({
  place,
  typed,
  backup,
  folder,
  version,
  clock,
  print,
  migrate,
  along,
}: NodeRestore): Promise<Snapshot> {
  const wanted = resolve(folder);
  assertEmpty(wanted);
  const staging = `${wanted}.restoring`;
  const engine = startEngine();
  try {
    const key = await engine.unlock(place, typed);
    await engine.open(place, key, null, "now");
    const snapshot = await choose(engine, backup);
    assertReadable(snapshot, version);
    print(`Found the backup ${snapshot.id} of ${snapshot.node.name}, made ${snapshot.created_at}.`);
    for (const app of halfOf(snapshot)) print(`${describeHalf(app)} An older one may have all of it: --backup ID.`);
    rmSync(staging, { recursive: true, force: true });
    mkdirSync(dirname(wanted), { recursive: true });
    mkdirSync(staging, { mode: 0o700 });
    for (const part of settingsOf(snapshot)) await writePart(engine, part, staging);
    await writeObjectsFolder(engine, snapshot.parts, staging);
    prepare(staging, snapshot, { place, clock, migrate, along });
    assertEmpty(wanted);
    if (existsSync(wanted)) rmdirSync(wanted);
    renameSync(staging, wanted);
    return snapshot;
  } finally {
    engine.end();
    rmSync(staging, { recursive: true, force: true });
  }
}
