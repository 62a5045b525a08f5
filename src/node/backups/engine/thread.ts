/** The program of the thread that backups are made and read in: all that takes a processor happens here. */
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { stepAside } from "../../../kernel/host/step-aside.ts";
import { answerQuestions } from "../../../kernel/thread.ts";
import { systemClock } from "../../../lib/clock.ts";
import { type BlobWriter, readBlob, writeBlobs } from "./blobs.ts";
import { checkShare } from "./check-share.ts";
import { condemnDamaged } from "./condemned.ts";
import { copyDatabase } from "./copy-database-store.ts";
import { EngineFailure } from "./failure.ts";
import { readFilePieces } from "./file-pieces.ts";
import { type Opened, REASONS, SPARE_SECONDS, secondsFor, type Verdict } from "./judge.ts";
import { type Lease, takeLease } from "./lease.ts";
import { nameDamage } from "./name-damage.ts";
import { openPlace } from "./open-target.ts";
import { createPace } from "./pace.ts";
import { readPieces, type ScannedChunk, scanArchive, soundArchive } from "./pieces.ts";
import type { Answer, Question } from "./protocol.ts";
import { prune } from "./prune.ts";
import { createRepository, hasRepository, openKey, openRepository, type Repository } from "./repository.ts";
import {
  listSnapshots,
  type Passed,
  readSnapshot,
  readStream,
  type SnapshotPart,
  type StreamWriter,
  writeSnapshot,
  writeStream,
} from "./snapshot.ts";
import type { Target } from "./target.ts";
import { type TreeWriter, writeTree } from "./tree.ts";
import { checkVolumeDatabases } from "./volume-databases.ts";

/** Below it archives of volumes have their names. */
const ARCHIVE_ROOT = "data";

interface Open {
  target: Target;
  repository: Repository;
  lease: Lease | null;
}

let current: Open | null = null;
let writer: StreamWriter | null = null;
let tree: TreeWriter | null = null;
let blobs: BlobWriter | null = null;
let reader: AsyncGenerator<Uint8Array> | null = null;
let scanner: AsyncGenerator<ScannedChunk> | null = null;
let checking: AsyncGenerator<Opened, string[], Verdict> | null = null;

function opened(): Open {
  if (!current) throw new Error("no repository is open");
  return current;
}

function closeTree(): void {
  tree?.close();
  tree = null;
}

/** One that cannot be stored is let go at once: what is open of its folder would keep its disk busy, longer than this thread lives. */
async function goOnWithTree(): Promise<Passed | null> {
  try {
    return (await tree?.next()) ?? null;
  } catch (error) {
    closeTree();
    throw error;
  }
}

const asHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** Writes, lists, reads, tries to write over it, and removes it again. */
async function probe(target: Target, name: string): Promise<Answer> {
  const bytes = Buffer.from(name);
  await target.write(name, bytes);
  let wasKept: boolean;
  try {
    const isListed = (await target.list("probes")).some((entry) => entry.name === name && entry.size === bytes.length);
    if (!isListed) throw new EngineFailure("damaged", "What was written there is not listed.");
    const piece = await target.read(name, { at: 1, length: 4 });
    if (!Buffer.from(await target.read(name)).equals(bytes) || !bytes.subarray(1, 5).equals(piece))
      throw new EngineFailure("damaged", "What was written there came back different.");
    wasKept = await target.write(name, Buffer.from("other")).then(
      () => false,
      (error: unknown) => error instanceof EngineFailure && error.code === "target_exists",
    );
  } finally {
    await target.remove(name);
  }
  const isGone = await target.read(name).then(
    () => false,
    (error: unknown) => error instanceof EngineFailure && error.code === "target_missing",
  );
  if (!isGone) throw new EngineFailure("target_refused", "What was removed there is still there.");
  return { probed: { warnings: target.warnings(), isGuarded: wasKept } };
}

async function storeFile(path: string, bytes: number | null): Promise<Answer> {
  const { repository } = opened();
  const stream = writeStream(repository);
  for (const piece of readFilePieces(path, bytes ?? Number.POSITIVE_INFINITY)) await stream.write(piece);
  return await stream.end();
}

async function writeFile(part: SnapshotPart, path: string): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    for await (const chunk of readStream(opened().repository, part)) await file.writeFile(chunk);
  } finally {
    await file.close();
  }
}

const describeRoom = ({ name, size }: SnapshotPart): string =>
  `To open ${name}, this server's disk needs ${Math.ceil(size / 1024 ** 2)} MB besides what it keeps free. Make room, then try again.`;

/** Throws `no_room` where it is larger than what may be used of this machine's disk, in bytes. */
async function* checkDatabase(
  part: SnapshotPart,
  scratch: string,
  room: number,
): AsyncGenerator<Opened, void, Verdict> {
  const path = join(scratch, "drill.db");
  if (part.size > room) throw new EngineFailure("no_room", describeRoom(part));
  try {
    await writeFile(part, path);
    const verdict = yield { path, seconds: SPARE_SECONDS + secondsFor(part.size) };
    if ("unjudged" in verdict) throw new Error(`${part.name} could not be judged: ${REASONS[verdict.unjudged]}.`);
    if (verdict.damage !== null)
      throw new EngineFailure("damaged", `${part.name} is no whole database: ${verdict.damage}.`);
  } finally {
    for (const ending of ["", "-wal", "-shm", "-journal"]) await rm(`${path}${ending}`, { force: true });
  }
}

/** Reads every byte of parts, and gives out what is a database, in volumes too; what apps wrote wrong is told and is no damage of ours. */
async function* check(
  parts: readonly SnapshotPart[],
  scratch: string,
  room: number,
): AsyncGenerator<Opened, string[], Verdict> {
  const { repository } = opened();
  const notes: string[] = [];
  for (const part of parts) {
    if (part.kind === "database") yield* checkDatabase(part, scratch, room);
    else if (part.kind === "volume") {
      const archive = soundArchive(readStream(repository, part), ARCHIVE_ROOT);
      notes.push(...(yield* checkVolumeDatabases(archive, part.name, scratch, room)));
    } else for await (const _ of readStream(repository, part));
  }
  return notes;
}

/** The next database that a check gives out, or what came of it all. */
async function goOnWithCheck(verdict: Verdict | null): Promise<Answer> {
  if (!checking) throw new Error("no check has begun");
  // What goes in first is heard by nobody.
  const next = await checking.next(verdict ?? { damage: null, seconds: 0 });
  return next.done === true ? { notes: next.value } : { opened: next.value };
}

async function answer(question: Question): Promise<Answer> {
  switch (question.ask) {
    case "probe":
      return await probe(await openPlace(question.place, "once"), question.name);
    case "has_repository":
      return { found: await hasRepository(await openPlace(question.place, "once")) };
    case "create":
      return { key: asHex(await createRepository(await openPlace(question.place), question.kit, question.passphrase)) };
    case "unlock":
      return { key: asHex(await openKey(await openPlace(question.place), question.typed)) };
    case "open": {
      if (question.urgency === "aside") stepAside();
      const pace = question.limit === null ? null : createPace(question.limit, systemClock);
      const target = await openPlace(question.place, "patient", pace, question.urgency);
      const { holder } = question;
      const lease = holder && (await takeLease(target, holder.id, () => systemClock.now(), holder.name));
      const repository = await openRepository(target, Buffer.from(question.key, "hex"), lease, question.urgency);
      current = { target, repository, lease };
      return {};
    }
    case "list":
      return { ids: await listSnapshots(opened().target) };
    case "begin":
      writer = writeStream(opened().repository);
      return {};
    case "write":
      return { passed: (await writer?.write(question.bytes)) ?? null };
    case "end": {
      if (!writer) throw new Error("no stream has begun");
      return await writer.end();
    }
    case "store_file":
      return await storeFile(question.path, question.bytes);
    case "copy_database":
      copyDatabase(question.from, question.to);
      return {};
    case "begin_tree":
      closeTree();
      tree = writeTree(opened().repository, question.source, systemClock.now());
      return {};
    case "next_of_tree":
      return { passed: await goOnWithTree() };
    case "end_tree": {
      if (!tree) throw new Error("no folder has begun");
      const stored = await tree.end();
      closeTree();
      return stored;
    }
    case "begin_blobs":
      blobs = writeBlobs(opened().repository, question.index, question.earlier);
      return {};
    case "add_blobs":
      return { lost: (await blobs?.add(question.files)) ?? [] };
    case "end_blobs": {
      if (!blobs) throw new Error("no stream has begun");
      return await blobs.end();
    }
    case "commit": {
      const { target, repository, lease } = opened();
      if (!lease) throw new Error("the repository is open for reading only");
      await writeSnapshot(target, repository, lease, question.snapshot);
      return {};
    }
    case "prune": {
      const { target, repository, lease } = opened();
      if (!lease) throw new Error("the repository is open for reading only");
      return { pruned: await prune(target, repository, lease, question.forgotten, systemClock.now()) };
    }
    case "distrust": {
      const { target, repository, lease } = opened();
      if (!lease) throw new Error("the repository is open for reading only");
      await lease.hold();
      await condemnDamaged(target, repository.keys.secret, repository.packs, question.packs);
      return {};
    }
    case "snapshot":
      return { snapshot: await readSnapshot(opened().target, opened().repository, question.id) };
    case "check":
      checking = check(question.parts, question.scratch, question.room);
      return {};
    case "check_next":
      return await goOnWithCheck(question.verdict);
    case "name_damage": {
      const { target, repository } = opened();
      const { parts } = await readSnapshot(target, repository, question.id);
      const suspect = new Set(question.packs);
      const isSuspect = (chunk: string): boolean => {
        const place = repository.placeOf(chunk);
        return suspect.size === 0 || place === null || suspect.has(place.pack);
      };
      return { damage: await nameDamage(repository, parts, question.root, isSuspect) };
    }
    case "check_share": {
      const { target, repository } = opened();
      return { share: await checkShare(target, repository, question.share, question.of) };
    }
    case "read":
      reader = readStream(opened().repository, question.part);
      return {};
    case "read_blob":
      reader = readBlob(opened().repository, question.part, question);
      return {};
    case "write_file":
      await writeFile(question.part, question.path);
      return {};
    case "read_pieces":
      reader = readPieces(opened().repository, question.pieces);
      return {};
    case "scan":
      scanner = scanArchive(opened().repository, question.part, question.root);
      return {};
    case "scan_next":
      return { scanned: (await scanner?.next())?.value ?? null };
    case "next": {
      const next = await reader?.next();
      return { bytes: next?.value ?? null };
    }
    case "close":
      await current?.lease?.release();
      current = null;
      return {};
  }
}

answerQuestions(answer);
