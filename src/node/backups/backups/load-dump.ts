import { posix } from "node:path";
import { appLabels, NODE_LABEL, nodeId, type ServiceDraft } from "../../apps/apps/index.ts";
import { type EngineSession, fileHeaders, type Snapshot, type SnapshotPart, tarEnd } from "../engine/index.ts";
import { AppFault } from "./app-fault.ts";
import { ARCHIVE_ROOT } from "./archive-filter.ts";
import { type Dump, type Dumper, findDumps, nameOf } from "./dumps.ts";
import { awaitImage } from "./image-wait.ts";
import { LOAD_SCRIPTS } from "./load-scripts.ts";
import type { Own } from "./needs.ts";

/** Where databases keep what they have, unless their settings say otherwise. */
const DATA_FOLDERS: Record<Dumper, string> = {
  postgres: "/var/lib/postgresql",
  mysql: "/var/lib/mysql",
  mongodb: "/data/db",
  redis: "/data",
};
const DUMP_FILE = "orrery-load.dump";
const ENDING = ".load";
/** A container that waits for what it is told to run. */
const WAITING = ["sh", "-c", "trap 'exit 0' TERM INT; while :; do sleep 1; done"];
const STOP_SECONDS = 120;
const KILLED = 137;

/** A database that comes back from what it wrote, since its files were copied while it wrote to them. */
export interface Load {
  dump: Dump;
  part: SnapshotPart;
  draft: ServiceDraft;
  /** The volumes that it fills, by the name that the app gives them. */
  volumes: readonly string[];
  /** Where in it its data lies. */
  folder: string;
}

const holds = (target: string, folder: string): boolean =>
  target === folder || folder.startsWith(`${target}/`) || target.startsWith(`${folder}/`);

function planLoad(own: Own, appId: string, part: SnapshotPart): Load | null {
  const dump = findDumps(own, appId).find((known) => nameOf(known) === part.name);
  const draft = dump === undefined ? null : own.apps.draftOf(appId, dump.service);
  if (dump === undefined || draft === null) return null;
  const own_folder = dump.dumper === "postgres" ? draft.environment["PGDATA"] : undefined;
  const folder = own_folder ?? DATA_FOLDERS[dump.dumper];
  const mine = draft.volumes.filter(({ target }) => holds(target, folder));
  // What other services have in the same volume is in no dump.
  if (mine.length === 0 || mine.some(({ isShared }) => isShared)) return null;
  return { dump, part, draft, volumes: mine.map(({ name }) => name), folder: mine[0]?.target ?? folder };
}

/** The databases of an app that come back from their dumps: those of a `source` in the backup that went on while its files were copied. */
export function planLoads(own: Own, snapshot: Snapshot, appId: string, source: string): Load[] {
  if (snapshot.apps.find(({ id }) => id === source)?.mode !== "none") return [];
  const dumps = snapshot.parts.filter(
    ({ kind, app, name }) => kind === "file" && app === source && name.startsWith("dumps/"),
  );
  return dumps.flatMap((part) => planLoad(own, appId, part) ?? []);
}

async function* archiveOf(session: EngineSession, part: SnapshotPart): AsyncGenerator<Uint8Array> {
  yield fileHeaders(DUMP_FILE, part.size);
  yield* session.read(part);
  if (part.size % 512 !== 0) yield new Uint8Array(512 - (part.size % 512));
  yield tarEnd();
}

/** What a Redis kept beside its dump, as the copy of its files tells: the name of its own file, and whether it logs changes. */
async function readRedisHabits(session: EngineSession, part: SnapshotPart | undefined) {
  let file = "dump.rdb";
  let hasLog = false;
  if (part === undefined) return { file, hasLog };
  for await (const { entries } of session.scan(part, ARCHIVE_ROOT))
    for (const { path, kind } of entries) {
      if (/(^|\/)appendonly[^/]*(\/|$)/.test(path)) hasLog = true;
      if (kind === "file" && /^[^/]+\.rdb$/.test(path) && !path.startsWith("temp-")) file = path;
    }
  return { file, hasLog };
}

async function wordsOf(session: EngineSession, { dump, folder, volumes }: Load, parts: readonly SnapshotPart[]) {
  if (dump.dumper !== "redis") return [dump.user ?? "", dump.database ?? "", `/${DUMP_FILE}`];
  const { file, hasLog } = await readRedisHabits(
    session,
    parts.find(({ kind, name }) => kind === "volume" && name === volumes[0]),
  );
  return ["", posix.join(folder, file), `/${DUMP_FILE}`, hasLog ? "yes" : "no"];
}

/** What is loaded side by side: `inTurn` for whoever reads from the backup, of which one thing is read at a time. */
interface Side {
  signal: AbortSignal;
  inTurn<Result>(read: () => Promise<Result>): Promise<Result>;
}

/**
 * Fills volumes of their own from a dump, with a container like that of the database which nobody reaches, while the app is as it was. Answers
 * the volumes of Docker by the names that the app gives them; they are of an engine that ended well. Throws AppFault with what the database said.
 */
async function loadDump(
  own: Own,
  session: EngineSession,
  appId: string,
  load: Load,
  parts: readonly SnapshotPart[],
  { signal, inTurn }: Side,
): Promise<[string, string][]> {
  const engine = own.runtime.requireEngine();
  const { dump, draft, volumes } = load;
  const labels = appLabels(nodeId(own.seal), appId);
  const sources = new Map(own.apps.volumesOf(appId).map(({ name, source }) => [name, source]));
  const filled = volumes.map((name): [string, string] => [name, `${sources.get(name) ?? name}${ENDING}`]);
  const name = `orrery-${own.apps.get(appId).name}-backup-load-${dump.service}`;
  await engine.removeContainer(name);
  for (const [, source] of filled) {
    await engine.removeVolume(source);
    await engine.createVolume(source, labels);
  }
  const spec = draft.alone(await awaitImage(own, appId, [draft.image]), new Map(filled));
  const waiting = dump.dumper === "redis" ? { Entrypoint: WAITING, Cmd: [], User: "0" } : {};
  const container = await engine.createContainer(name, { ...spec, ...waiting });
  try {
    const words = await inTurn(async () => {
      await engine.writeArchive(container, "/", archiveOf(session, load.part), signal);
      return await wordsOf(session, load, parts);
    });
    await engine.startContainer(container);
    const argv = ["sh", "-c", LOAD_SCRIPTS[dump.dumper], "sh", ...words];
    const run = await engine.openExec(container, argv, signal);
    for await (const _ of run.bytes);
    const { exit_code, output } = await run.end();
    if (exit_code !== 0) throw new AppFault(describeFailure(dump, output));
    await engine.stopContainer(container, STOP_SECONDS);
    const ended = await engine.inspectContainer(container);
    if (ended === null || ended.State.ExitCode === KILLED)
      throw new AppFault(describeFailure(dump, "It did not end well."));
    return filled;
  } finally {
    await engine.removeContainer(container);
  }
}

function describeFailure({ service }: Dump, output: string): string {
  const last = output.split("\n").at(-1)?.trim().slice(0, 200) ?? "";
  const why = last === "" ? "" : ` It said: ${last}`;
  return `What the database in ${service} had written could not be loaded again, so nothing was changed.${why}`;
}

/**
 * Loads all of these side by side, as the app runs them; the volumes of Docker that were filled, by the name that the app gives them. The
 * first that cannot be loaded ends the others.
 */
export async function loadDumps(
  own: Own,
  session: EngineSession,
  appId: string,
  loads: readonly Load[],
  parts: readonly SnapshotPart[],
): Promise<Map<string, string>> {
  const broken = new AbortController();
  const signal = AbortSignal.any([own.signal, broken.signal]);
  let last: Promise<unknown> = Promise.resolve();
  const inTurn: Side["inTurn"] = (read) => {
    const mine = last.then(() => {
      signal.throwIfAborted();
      return read();
    });
    last = mine.catch(() => {});
    return mine;
  };
  const ended = await Promise.allSettled(
    loads.map((load) =>
      loadDump(own, session, appId, load, parts, { signal, inTurn }).catch((error: unknown) => {
        broken.abort(error);
        throw error;
      }),
    ),
  );
  broken.signal.throwIfAborted();
  return new Map(ended.flatMap((one) => (one.status === "fulfilled" ? one.value : [])));
}

/** Removes all such volumes that were left when the program ended in the middle of a restore. Only while there is none. */
export async function dropAllLoaded(own: Own): Promise<void> {
  const engine = own.runtime.requireEngine();
  for (const { Name } of await engine.listVolumes({ [NODE_LABEL]: nodeId(own.seal) }))
    if (Name.endsWith(ENDING)) await engine.removeVolume(Name);
}

/** Removes volumes that were filled for a restore and are of no use any more. */
export async function dropLoaded(own: Own, appId: string): Promise<void> {
  const engine = own.runtime.requireEngine();
  const labels = appLabels(nodeId(own.seal), appId);
  for (const { Name } of await engine.listVolumes(labels)) if (Name.endsWith(ENDING)) await engine.removeVolume(Name);
}
