import { statSync } from "node:fs";
import { sealRows } from "../../../kernel/seal.ts";
import { toIso } from "../../../lib/clock.ts";
import { hours } from "../../../lib/duration.ts";
import type { Asker } from "../../platform/operations/index.ts";
import {
  EngineFailure,
  type EngineSession,
  type Holder,
  makeKitKey,
  type Snapshot,
  startEngine,
  type TargetPlace,
} from "../engine/index.ts";
import {
  fail,
  type RecoveryKit,
  type Target,
  type TargetInput,
  type TargetLimit,
  type TargetTest,
} from "./contract.ts";
import { causeOf, codeOf, explain } from "./failures.ts";
import { giveUpTarget } from "./given-up.ts";
import { describeHalf, halfOf } from "./half-copies.ts";
import type { Own } from "./needs.ts";
import { hasObjects } from "./objects-parts.ts";
import { runWaited } from "./one-at-a-time.ts";
import { listPending } from "./pending-store.ts";
import { describePlace, makePlace, openPlace, sealPlace } from "./places.ts";
import * as store from "./store.ts";

const MOST_TARGETS = 20;
const REPOSITORY = "backup target";
const KIT = "backup kit";
const MOST_FOUND = 500;
/** Of all their texts together: 500 backups of a hundred apps have two million. */
const MOST_LETTERS = 4_000_000;
/** How long opening one takes at most: the names of 16 TB of packs come in four hours from the other side of the world. */
const MOST_HOURS = 6;
const BYTES_OF_MB = 1_000_000;
/** What to look at where a place does not let the node do what it has to. */
const REFUSED: Record<store.TargetRow["type"], string> = {
  local: "See that the disk is mounted, has room, and lets the node write there, then test it again.",
  s3: "See that the bucket is there and that its key may list, read, write and delete, then test it again.",
  node: "Look on the other server, on its page Backups, whether the place is there, has room, and its key still opens it.",
  sftp: "See that the folder is there and that its user may write to it, then test it again.",
  webdav: "See that the folder is there and that its user may write to it, then test it again.",
};

const present = ({ id, type, name, path, created_at, max_mb_per_second, own_disk }: store.TargetRow): Target => ({
  id,
  type,
  name,
  path,
  created_at,
  max_mb_per_second,
  own_disk: own_disk === 1,
});

/** Whether a place that answers lies on the disk of this server's data. */
const liesOnOwnDisk = ({ config }: Own, { type, path }: Pick<store.TargetRow, "type" | "path">): 0 | 1 =>
  type === "local" && statSync(path, { throwIfNoEntry: false })?.dev === statSync(config.data_dir).dev ? 1 : 0;

/** Targets by name. */
export const listTargets = ({ db }: Pick<Own, "db">): Target[] => store.listTargets(db).map(present);

/** Throws `backup_target_not_found`. */
export function getTarget({ db }: Pick<Own, "db">, id: string): store.TargetRow {
  const target = store.findTarget(db, id);
  if (!target) throw fail("backup_target_not_found", { id });
  return target;
}

/** Ends the engine where a target takes longer than anybody waits for it, however it does that. Throws `target_away` then. */
async function inTime<Result>(
  { clock }: Pick<Own, "clock">,
  engine: EngineSession,
  name: string,
  opening: Promise<Result>,
): Promise<Result> {
  let isLate = false;
  const cancel = clock.after(hours(MOST_HOURS), () => {
    isLate = true;
    engine.end();
  });
  try {
    return await opening;
  } catch (error) {
    if (!isLate) throw error;
    throw new EngineFailure("target_away", `${name} did not let itself be opened within ${MOST_HOURS} hours.`);
  } finally {
    cancel();
  }
}

/** Runs one question about a target in an engine of its own. */
async function withEngine<Result>(
  own: Own,
  name: string,
  ask: (engine: EngineSession) => Promise<Result>,
): Promise<Result> {
  const engine = startEngine([own.signal]);
  try {
    return await inTime(own, engine, name, ask(engine));
  } finally {
    engine.end();
  }
}

/** The engine's refusal of a place as an answer. */
function refuse(error: unknown, path: string): Error {
  const reason = causeOf(error);
  switch (codeOf(error)) {
    case "key_wrong":
      return fail("backup_key_wrong", { path });
    case "target_foreign":
      return fail("backup_target_foreign", { path });
    case "repository_newer":
      return fail("backup_target_newer", { path });
    case "target_away":
      return fail("backup_target_away", { reason });
    case "target_full":
      return fail("backup_target_full", { path });
    default:
      return fail("backup_target_unfit", { reason });
  }
}

/** What opens a repository, and the backups that are in it already. */
interface Taken {
  key: string;
  kit: string;
  found: Found[];
}

/** Makes a repository at a place, or opens the one that is there. */
async function takePlace(own: Own, place: TargetPlace, input: TargetInput): Promise<Taken> {
  const path = describePlace(place);
  return await withEngine(own, input.name, async (engine) => {
    try {
      if (!(await engine.hasRepository(place))) {
        const kit = makeKitKey();
        return { key: await engine.create(place, kit, input.passphrase ?? null), kit, found: [] };
      }
      if (input.recovery_key === undefined) throw fail("backup_target_locked", { path });
      const key = await engine.unlock(place, input.recovery_key);
      await engine.open(place, key, null, "now");
      return { key, kit: input.recovery_key, found: await readFound(engine) };
    } catch (error) {
      if (codeOf(error) === "host_unknown" && place.type === "sftp") {
        const fingerprint = causeOf(error).match(/SHA256:[\w+/]+/)?.[0] ?? "";
        throw fail("backup_target_host_key", { host: place.host, fingerprint });
      }
      if (codeOf(error) === null || codeOf(error)?.startsWith("backup_")) throw error;
      throw refuse(error, path);
    }
  });
}

/** What the list of backups has of one that is at a target already. */
type Found = Pick<
  store.BackupRow,
  "id" | "apps" | "include_config" | "include_objects" | "notes" | "started_at" | "size_bytes" | "made_by" | "half"
>;

const findingOf = ({ id, created_at, node, apps, parts }: Snapshot): Found => ({
  id,
  apps: JSON.stringify(apps.map((app) => app.id)),
  include_config: parts.some(({ app, name }) => app === null && name === "main.db") ? 1 : 0,
  include_objects: hasObjects({ parts }) ? 1 : 0,
  notes: JSON.stringify(halfOf({ apps }).map(describeHalf)),
  started_at: created_at,
  size_bytes: Math.min(
    parts.reduce((sum, { size }) => sum + size, 0),
    Number.MAX_SAFE_INTEGER,
  ),
  made_by: node.name,
  half: JSON.stringify(halfOf({ apps }).map((app) => app.id)),
});

/**
 * The newest backups of a repository; what is damaged is left out, and so are older ones where those say too much of themselves: somebody
 * else may have written them.
 */
async function readFound(engine: EngineSession): Promise<Found[]> {
  const found: Found[] = [];
  let letters = 0;
  for (const id of (await engine.list()).slice(-MOST_FOUND).reverse()) {
    try {
      const one = findingOf(await engine.snapshot(id));
      letters += one.apps.length + one.notes.length + one.half.length;
      if (letters > MOST_LETTERS) break;
      found.push(one);
    } catch (error) {
      if (codeOf(error) !== "damaged") throw error;
    }
  }
  return found.reverse();
}

/** Backups that are at a target already are listed with the others. */
function insertFound({ db, ids }: Own, target: string, found: readonly Found[]): void {
  for (const one of found) {
    if (store.hasBackup(db, one.id)) continue;
    store.insertBackup(db, {
      ...one,
      target,
      status: "completed",
      cause: null,
      op_id: ids.next("op"),
      finished_at: one.started_at,
      added_bytes: 0,
      cancelled: 0,
      verified_at: null,
      damage: null,
      plan: null,
      left_out: "[]",
    });
  }
}

/** Adds a target. Throws what `POST /api/backup/targets` answers. */
export async function addTarget(own: Own, by: Asker, input: TargetInput): Promise<Target> {
  const { db, seal, ids, clock, bus } = own;
  const place = makePlace(own, input);
  const path = describePlace(place);
  const assertFree = () => {
    const known = store.listTargets(db);
    if (known.length >= MOST_TARGETS) throw fail("backup_target_limit", { limit: MOST_TARGETS });
    if (known.some((target) => target.path === path)) throw fail("backup_target_taken", { what: path });
    if (known.some(({ name }) => name === input.name)) throw fail("backup_target_taken", { what: input.name });
  };
  assertFree();
  const { key, kit, found } = await takePlace(own, place, input);
  assertFree();
  const id = ids.next("bkt");
  const row: store.TargetRow = {
    id,
    type: place.type,
    name: input.name,
    path,
    place: sealPlace(own, id, place),
    repository_key: sealRows(seal, REPOSITORY).seal(id, key),
    kit_key: sealRows(seal, KIT).seal(id, kit),
    created_at: toIso(clock.now()),
    max_mb_per_second: input.max_mb_per_second ?? null,
    own_disk: liesOnOwnDisk(own, { type: place.type, path }),
  };
  db.tx(() => {
    store.insertTarget(db, row);
    insertFound(own, row.id, found);
    bus.emit("backup_target.added", { ...by, target_id: row.id, name: row.name });
  });
  return present(row);
}

/** Changes how much travels to and from a target, from the next work on. Throws `backup_target_not_found`. */
export function limitTarget(own: Own, by: Asker, id: string, { max_mb_per_second }: TargetLimit): Target {
  const target = getTarget(own, id);
  own.db.tx(() => {
    store.limitTarget(own.db, id, max_mb_per_second);
    own.bus.emit("backup_target.limited", { ...by, target_id: id, name: target.name, max_mb_per_second });
  });
  return present({ ...target, max_mb_per_second });
}

/** Forgets a target; what lies there stays. What the server does of its own accord gives way to that. */
export async function removeTarget(own: Own, by: Asker, id: string): Promise<string> {
  getTarget(own, id);
  return await runWaited(own, async () => forgetTarget(own, by, id));
}

function forgetTarget(own: Own, by: Asker, id: string): string {
  const { name } = getTarget(own, id);
  const waiting = new Set(
    listPending(own.db).flatMap(({ app_id, backup_id }) => (store.targetOf(own.db, backup_id) === id ? [app_id] : [])),
  );
  const app = own.apps.list().find((one) => waiting.has(one.id));
  if (app) throw fail("backup_target_needed", { what: app.name, name });
  own.db.tx(() => {
    giveUpTarget(own, id, name);
    own.bus.emit("backup_target.removed", { ...by, target_id: id, name });
  });
  return name;
}

/** A disk takes everything with it that lies on it. */
function warnOfDisk(own: Own, target: store.TargetRow): string[] {
  const own_disk = liesOnOwnDisk(own, target);
  store.noteOwnDisk(own.db, target.id, own_disk);
  return own_disk ? ["It lies on the disk that is backed up: what takes the disk takes its backups, too."] : [];
}

/**
 * Opens the repository of a target; for writing where a holder is named. Throws `backup_target_other` where another one lies there now,
 * such as that of another disk: writing to it would spoil both.
 */
async function openKnown(
  own: Own,
  engine: EngineSession,
  target: store.TargetRow,
  how: { holder: Holder | null; urgency: "now" | "aside"; limit: number | null },
): Promise<void> {
  const place = openPlace(own, target);
  const key = sealRows(own.seal, REPOSITORY).open(target.id, target.repository_key);
  const found = await engine.unlock(place, kitOf(own, target)).catch((error: unknown) => {
    if (codeOf(error) !== "key_wrong") throw error;
    return null;
  });
  if (found !== key) throw fail("backup_target_other", { path: target.path });
  await engine.open(place, key, how.holder, how.urgency, how.limit);
}

const GUARDED = { code: null, words: "It writes, lists, reads and deletes.", next_step: null };
/** Two writers at a time can only be told apart where what is there stays. */
const UNGUARDED = {
  code: "backup_target_unguarded",
  words: "It writes, lists, reads and deletes, but lets what is there be written over.",
  next_step: "Let only this server write to it, or choose a place that keeps what it has.",
};

/** Tries whether a target takes backups now. */
export async function testTarget(own: Own, id: string): Promise<TargetTest> {
  const target = getTarget(own, id);
  try {
    const { warnings, isGuarded } = await withEngine(own, target.name, async (engine) => {
      await openKnown(own, engine, target, { holder: null, urgency: "now", limit: null });
      return await engine.probe(openPlace(own, target), `probes/${own.ids.next("probe").toLowerCase()}`);
    });
    const known = { ok: true, warnings: [...warnings, ...warnOfDisk(own, target)] };
    return isGuarded ? { ...known, ...GUARDED } : { ...known, ...UNGUARDED };
  } catch (error) {
    if (codeOf(error) === null) throw error;
    const { code, message: words, next_step } = explain(error);
    return {
      ok: false,
      code,
      words,
      next_step: code === "backup_target_refused" ? REFUSED[target.type] : next_step,
      warnings: [],
    };
  }
}

const kitOf = ({ seal }: Pick<Own, "seal">, { id, kit_key }: store.TargetRow): string =>
  sealRows(seal, KIT).open(id, kit_key);

/** What opens the backups of a target without this server. */
export function showKit(own: Own, by: Asker, id: string): RecoveryKit {
  const target = getTarget(own, id);
  own.db.record(() => own.bus.emit("backup_target.kit_shown", { ...by, target_id: id, name: target.name }));
  return { target: present(target), recovery_key: kitOf(own, target) };
}

/**
 * Opens the repository of a target in an engine of its own; for writing where a holder is named, `aside` where nobody waits for it. It
 * is given up at once when `signal` aborts, whatever the target does, and where opening it takes hours, with `target_away`.
 */
export async function openTarget(
  own: Own,
  id: string,
  holder: Holder | null,
  urgency: "now" | "aside",
  signal?: AbortSignal,
): Promise<EngineSession> {
  const target = getTarget(own, id);
  // A program that ends does not wait until everything is read.
  const engine = startEngine(signal ? [own.signal, signal] : [own.signal]);
  try {
    // Whoever waits for what lies there gets it as fast as it comes.
    const most = urgency === "aside" ? target.max_mb_per_second : null;
    const limit = most === null ? null : most * BYTES_OF_MB;
    await inTime(own, engine, target.name, openKnown(own, engine, target, { holder, urgency, limit }));
    // A disk may have been mounted there since, or taken away.
    if (holder !== null) store.noteOwnDisk(own.db, id, liesOnOwnDisk(own, target));
    return engine;
  } catch (error) {
    engine.end();
    throw error;
  }
}
