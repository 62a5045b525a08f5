/** The program of the thread that backups are made and read in: all that takes a processor happens here. */
import { Database } from "bun:sqlite";
import { createReadStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { answerQuestions } from "../../../kernel/thread.ts";
import { systemClock } from "../../../lib/clock.ts";
import { EngineFailure } from "./failure.ts";
import { type Lease, takeLease } from "./lease.ts";
import { openPlace } from "./open-target.ts";
import { readPieces, type ScannedChunk, scanArchive } from "./pieces.ts";
import type { Answer, Question } from "./protocol.ts";
import { prune } from "./prune.ts";
import { createRepository, hasRepository, openKey, openRepository, type Repository } from "./repository.ts";
import {
  listSnapshots,
  readSnapshot,
  readStream,
  type SnapshotPart,
  type StreamWriter,
  writeSnapshot,
  writeStream,
} from "./snapshot.ts";
import type { Target } from "./target.ts";

const PIECE_BYTES = 1024 * 1024;

interface Open {
  target: Target;
  repository: Repository;
  lease: Lease | null;
}

let current: Open | null = null;
let writer: StreamWriter | null = null;
let reader: AsyncGenerator<Uint8Array> | null = null;
let scanner: AsyncGenerator<ScannedChunk> | null = null;

function opened(): Open {
  if (!current) throw new Error("no repository is open");
  return current;
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
  const lax = "It lets what is there be written over: let only this server write to it.";
  return { warnings: [...target.warnings(), ...(wasKept ? [] : [lax])] };
}

async function storeFile(path: string): Promise<Answer> {
  const { repository } = opened();
  const stream = writeStream(repository);
  for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES })) await stream.write(piece);
  return await stream.end();
}

async function checkDatabase(part: SnapshotPart, scratch: string): Promise<void> {
  const path = join(scratch, "drill.db");
  const { repository } = opened();
  const file = await open(path, "w", 0o600);
  try {
    for await (const chunk of readStream(repository, part)) await file.write(chunk);
  } finally {
    await file.close();
  }
  const database = new Database(path, { readonly: true });
  try {
    const said = database.query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)").get();
    if (said?.integrity_check !== "ok")
      throw new EngineFailure("damaged", `${part.name} is no whole database: ${said?.integrity_check ?? "no answer"}.`);
  } finally {
    database.close();
    await rm(path, { force: true });
  }
}

/** Reads every byte of parts, and opens what is a database. */
async function check(parts: readonly SnapshotPart[], scratch: string): Promise<Answer> {
  const { repository } = opened();
  for (const part of parts) {
    if (part.kind === "database") await checkDatabase(part, scratch);
    else for await (const _ of readStream(repository, part));
  }
  return {};
}

async function answer(question: Question): Promise<Answer> {
  switch (question.ask) {
    case "probe":
      return await probe(openPlace(question.place), question.name);
    case "has_repository":
      return { found: await hasRepository(openPlace(question.place)) };
    case "create":
      return { key: asHex(await createRepository(openPlace(question.place), question.kit, question.passphrase)) };
    case "unlock":
      return { key: asHex(await openKey(openPlace(question.place), question.typed)) };
    case "open": {
      const target = openPlace(question.place);
      const lease = question.holder === null ? null : await takeLease(target, question.holder, () => systemClock.now());
      current = { target, repository: await openRepository(target, Buffer.from(question.key, "hex"), lease), lease };
      return {};
    }
    case "list":
      return { ids: await listSnapshots(opened().target) };
    case "begin":
      writer = writeStream(opened().repository);
      return {};
    case "write":
      await writer?.write(question.bytes);
      return {};
    case "end": {
      if (!writer) throw new Error("no stream has begun");
      return await writer.end();
    }
    case "store_file":
      return await storeFile(question.path);
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
    case "snapshot":
      return { snapshot: await readSnapshot(opened().target, opened().repository, question.id) };
    case "check":
      return await check(question.parts, question.scratch);
    case "read":
      reader = readStream(opened().repository, question.part);
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
