import { type Database, type Dumper, dumpCommand, dumpName, findDatabases } from "../../apps/apps/index.ts";
import type { EngineSession, Passed, SnapshotPart } from "../engine/index.ts";
import type { Own } from "./needs.ts";

export type { Database as Dump, Dumper };

/** The databases of an app. */
export const findDumps = ({ apps }: Pick<Own, "apps">, appId: string): Database[] =>
  findDatabases(apps.backupOf(appId).dumps, apps.imagesOf(appId));

/** Name of the part that a dump becomes. */
export const nameOf = (dump: Database): string => `dumps/${dumpName(dump)}`;

/** What dumping made, and what did not work, in sentences. */
export interface StoredDumps {
  parts: SnapshotPart[];
  added: number;
  notes: string[];
}

/**
 * Lets the databases of a running app write all they have into a repository. One that does not is told of: the volumes, which are
 * copied as well, are what the app comes back from.
 */
export async function storeDumps(
  own: Own,
  session: EngineSession,
  appId: string,
  onPassed: (passed: Passed) => void,
): Promise<StoredDumps> {
  const stored: StoredDumps = { parts: [], added: 0, notes: [] };
  const services = new Map(own.apps.listServices(appId).map((service) => [service.name, service]));
  for (const dump of findDumps(own, appId)) {
    const service = services.get(dump.service);
    if (service?.state !== "running" || service.container_id === null) continue;
    const stream = await own.runtime.requireEngine().openExec(service.container_id, dumpCommand(dump), own.signal);
    const { added, ...rest } = await session.storeStream(stream.bytes, onPassed);
    stored.added += added;
    const { exit_code, output } = await stream.end();
    if (exit_code === 0) stored.parts.push({ kind: "file", app: appId, name: nameOf(dump), ...rest });
    else stored.notes.push(describeFailure(own.apps.get(appId).name, dump, output));
  }
  return stored;
}

function describeFailure(app: string, { service }: Database, output: string): string {
  const last = output.split("\n").at(-1)?.trim().slice(0, 200) ?? "";
  const why = last === "" ? "" : ` It said: ${last}`;
  return `The database in ${service} of ${app} could not be dumped; its files were copied.${why}`;
}
