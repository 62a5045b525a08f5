import { mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { toIso } from "../../../../lib/clock.ts";
import { EngineError } from "../../runtime/index.ts";
import { type Blueprint, manifestOf } from "../blueprint/blueprint.ts";
import type { Own } from "../needs.ts";
import { listServices } from "../service-store.ts";
import type { AppRow } from "../store.ts";
import type { Work } from "../work/work.ts";
import { type Database, dumpName, findDatabases } from "./databases.ts";
import { type DumpRow, deleteDumps, forgetDumps, writeDump } from "./dump-store.ts";
import { DumpFault, readDump } from "./read-dump.ts";
import { checkDumpFile, writeDumpFile } from "./write-dump.ts";

/** What the node itself needs to go on: its own database lies on the same disk. */
const RESERVE_BYTES = 1024 ** 3;

const rootOf = ({ config }: Pick<Own, "config">, appId: string): string => resolve(config.data_dir, "app-dumps", appId);
const folderOf = (own: Pick<Own, "config">, appId: string, generation: number): string =>
  join(rootOf(own, appId), String(generation));

/** Where a dump lies. */
export const dumpPath = (own: Pick<Own, "config">, { app_id, generation, name }: DumpRow): string =>
  join(folderOf(own, app_id, generation), `${name}.gz`);

/** The databases of an app that an update dumps. */
export function databasesOf({ project, manifest }: Pick<Blueprint, "project" | "manifest">): Database[] {
  return findDatabases(manifest.backup.dumps ?? [], project.services);
}

/** Deletes the dumps of one generation of an app. */
export async function dropDumps(own: Pick<Own, "config" | "db">, appId: string, generation: number): Promise<void> {
  await rm(folderOf(own, appId, generation), { recursive: true, force: true });
  deleteDumps(own.db, appId, generation);
}

/** Deletes all dumps of an app whose data is gone. */
export async function dropAllDumps(own: Pick<Own, "config" | "db">, appId: string): Promise<void> {
  await rm(rootOf(own, appId), { recursive: true, force: true });
  forgetDumps(own.db, appId);
}

/** How much a dump may have: what is free, but for what the node needs itself. Compressed it is less, which nobody knows before. */
async function roomFor({ host, config }: Pick<Own, "host" | "config">): Promise<number> {
  const space = await host.ownSpace(config.data_dir);
  return space === null ? Number.MAX_SAFE_INTEGER : Math.max(0, space.free - RESERVE_BYTES);
}

/** Lets one database write all it has into a file, and reads that again. Throws DumpFault, EngineError. */
async function dump({ own, engine, signal }: Work, row: DumpRow, database: Database): Promise<DumpRow> {
  const service = listServices(own.db, row.app_id).find(({ name }) => name === database.service);
  if (service?.state !== "running" || service.container_id === null) throw new DumpFault("it does not run");
  const path = dumpPath(own, row);
  const most = { bytes: await roomFor(own), why: "there is not enough room for it beside the data of this node" };
  const written = await readDump({ clock: own.clock, engine, signal }, service.container_id, database, most, (bytes) =>
    writeDumpFile(path, database.dumper, bytes, signal),
  );
  if (!written.isWhole) throw new DumpFault("it ended before its end");
  await checkDumpFile(path, written, signal);
  return { ...row, size_bytes: written.size_bytes, sha256: written.sha256 };
}

/**
 * Lets the databases of a running app write all they have, before an update stops it; doing it again makes them anew. A database that
 * does not is told of and no reason to stop: its files, which are copied as they are, are what the way back leads to.
 */
export async function makeDumps(work: Work, app: AppRow, before: Blueprint): Promise<void> {
  const { own, op, signal } = work;
  const { id, generation } = app;
  await dropDumps(own, id, generation);
  await mkdir(folderOf(own, id, generation), { recursive: true, mode: 0o700 });
  for (const database of databasesOf(before)) {
    const row: DumpRow = {
      app_id: id,
      generation,
      name: dumpName(database),
      service: database.service,
      dumper: database.dumper,
      size_bytes: 0,
      sha256: "",
      made_at: toIso(own.clock.now()),
      problem: null,
    };
    try {
      writeDump(own.db, await dump(work, row, database));
      op.log(`The database in ${database.service} is dumped and read again.`);
    } catch (error) {
      signal.throwIfAborted();
      // Whoever lost the engine has to come back to it first.
      if (error instanceof EngineError && error.status === 0) throw error;
      await rm(dumpPath(own, row), { force: true });
      const problem = error instanceof Error ? error.message : String(error);
      writeDump(own.db, { ...row, problem });
      op.log(`The database in ${database.service} could not be dumped (${problem}); its files are copied.`);
    }
  }
}

/** Whether an update of an app dumps anything. */
export const hasDatabases = (app: Pick<AppRow, "manifest">, project: Blueprint["project"]): boolean =>
  databasesOf({ project, manifest: manifestOf(app) }).length > 0;
