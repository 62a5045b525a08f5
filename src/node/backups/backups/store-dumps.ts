import { type Database, DumpFault, readDump } from "../../apps/apps/index.ts";
import type { EngineSession, Passed, SnapshotPart } from "../engine/index.ts";
import { isOfApp } from "./app-fault.ts";
import { findDumps, nameOf } from "./dumps.ts";
import { causeOf } from "./failures.ts";
import type { Own } from "./needs.ts";
import { mostOfVolume } from "./room.ts";

/** What dumping made, and what did not work, in sentences. */
export interface StoredDumps {
  parts: SnapshotPart[];
  added: number;
  notes: string[];
}

/** An app's files hold its databases packed tighter than a dump has them, though never by so much. */
const MOST_TIMES = 8;
const BESIDE = 1024 ** 3;

/** How many bytes a dump of an app may have: what writes one may do so for ever, and the target takes whatever comes. */
async function mostOf(own: Own, appId: string): Promise<number> {
  const held = own.apps.diskBytes(appId);
  return held === null ? await mostOfVolume(own) : held * MOST_TIMES + BESIDE;
}

/**
 * Lets the databases of a running app write all they have into a repository. One that does not is told of: the volumes, which are
 * copied as well, are what the app comes back from. `signal` ends what is waited for.
 */
export async function storeDumps(
  own: Own,
  session: EngineSession,
  appId: string,
  onPassed: (passed: Passed) => void,
  signal: AbortSignal,
): Promise<StoredDumps> {
  const stored: StoredDumps = { parts: [], added: 0, notes: [] };
  const services = new Map(own.apps.listServices(appId).map((service) => [service.name, service]));
  for (const dump of findDumps(own, appId)) {
    const service = services.get(dump.service);
    if (service?.state !== "running" || service.container_id === null) continue;
    const engine = own.runtime.requireEngine();
    const most = { bytes: await mostOf(own, appId), why: "it wrote more than its files can hold" };
    try {
      const deps = { clock: own.clock, engine, signal };
      const { added, ...rest } = await readDump(deps, service.container_id, dump, most, (bytes) =>
        session.storeStream(bytes, onPassed),
      );
      stored.added += added;
      stored.parts.push({ kind: "file", app: appId, name: nameOf(dump), ...rest });
    } catch (error) {
      if (signal.aborted || !(error instanceof DumpFault || (await isOfApp(own, engine, error)))) throw error;
      stored.notes.push(describeFailure(own.apps.get(appId).name, dump, causeOf(error)));
    }
  }
  return stored;
}

const describeFailure = (app: string, { service }: Database, why: string): string =>
  `The database in ${service} of ${app} could not be dumped (${why}); its files were copied.`;
