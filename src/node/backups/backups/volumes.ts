import { APP_LABEL, appLabels, nodeId, VOLUME_LABEL } from "../../apps/apps/index.ts";
import { type ContainerMount, EngineError, type VolumeSummary } from "../../apps/runtime/index.ts";
import type { EngineSession, Passed, SnapshotPart } from "../engine/index.ts";
import { AppFault } from "./app-fault.ts";
import { ARCHIVE_ROOT, BrokenArchive, type StillFile, withStillDatabases } from "./archive-filter.ts";
import { awaitImage } from "./image-wait.ts";
import type { Own } from "./needs.ts";
import { mostOfVolume } from "./room.ts";
import type { TakenSnapshot } from "./snapshots.ts";
import { placeOf, storeFolder } from "./volume-folders.ts";

const ROOT = "/orrery";
const FOLDER = ARCHIVE_ROOT;
/** How often a volume whose files became shorter while they were read is read again. */
const MOST_TRIES = 3;

/** A volume of an app, by the name the app gives it and by that on Docker. */
export interface Volume {
  name: string;
  source: string;
}

/** Who carries: what one of these names does not get in the way of the others. */
type Carrier = "backup" | "backup-still" | "backup-from";

/** A volume of Docker, and how a container has it. */
interface Carried {
  source: string;
  isReading: boolean;
  carrier?: Carrier;
  /** Of the container; those of the app where they are left out. */
  labels?: Record<string, string>;
}

/**
 * Calls `use` with a container that never runs and has one volume: only through one does Docker read and write them. It is removed
 * afterwards; one that a killed program left is removed before.
 */
async function throughCarrier<Result>(
  own: Own,
  appId: string,
  { source, isReading, carrier = "backup", labels = appLabels(nodeId(own.seal), appId) }: Carried,
  use: (container: string) => Promise<Result>,
): Promise<Result> {
  const engine = own.runtime.requireEngine();
  const images = own.apps.imagesOf(appId).map(({ image }) => image);
  const Image = await awaitImage(own, appId, images);
  const name = `orrery-${own.apps.get(appId).name}-${carrier}`;
  await engine.removeContainer(name);
  const container = await engine.createContainer(name, {
    Image,
    Entrypoint: ["none"],
    NetworkDisabled: true,
    Labels: labels,
    HostConfig: {
      Mounts: [
        {
          Type: "volume",
          Source: source,
          Target: `${ROOT}/${FOLDER}`,
          ReadOnly: isReading,
          VolumeOptions: { NoCopy: true },
        },
      ],
    },
  });
  try {
    return await use(container);
  } finally {
    await engine.removeContainer(container);
  }
}

/** The volumes of an app that are on Docker. */
async function listPresent(own: Own, appId: string): Promise<(Volume & { summary: VolumeSummary })[]> {
  const found = await own.runtime.requireEngine().listVolumes({ [APP_LABEL]: appId });
  const summaries = new Map(found.map((summary) => [summary.Name, summary]));
  return own.apps.volumesOf(appId).flatMap((volume) => {
    const summary = summaries.get(volume.source);
    return summary ? [{ ...volume, summary }] : [];
  });
}

/** The volumes of an app that Docker does not have. */
export async function listMissing(own: Own, appId: string): Promise<Volume[]> {
  const present = new Set((await listPresent(own, appId)).map(({ name }) => name));
  return own.apps.volumesOf(appId).filter(({ name }) => !present.has(name));
}

/** Takes SQLite databases of a volume as they are at one moment; null for one that goes into the backup as it comes. */
export type TakeStill = (path: string) => Promise<readonly StillFile[] | null>;

/** Calls `use` with what takes those of one volume, while that is read. */
export type WithStill = <Result>(volume: Volume, use: (take: TakeStill) => Promise<Result>) => Promise<Result>;

async function storeVolume(
  own: Own,
  session: EngineSession,
  container: string,
  volume: Volume,
  { onProgress, withStill }: Pick<Storing, "onProgress" | "withStill">,
) {
  const most = await mostOfVolume(own);
  for (let tries = 1; ; tries += 1) {
    try {
      return await withStill(volume, async (take) => {
        const archive = await own.runtime.requireEngine().readArchive(container, `${ROOT}/${FOLDER}`, own.signal);
        return await session.storeStream(withStillDatabases(archive, take, most), onProgress);
      });
    } catch (error) {
      if (!(error instanceof BrokenArchive) || tries >= MOST_TRIES) throw error;
    }
  }
}

/** How the volumes of an app are stored. */
interface Storing {
  target: string;
  /** Whether the app goes on meanwhile. */
  isLive: boolean;
  onProgress: (passed: Passed) => void;
  withStill: WithStill;
  /** Names of volumes that are stored already. */
  but: ReadonlySet<string>;
}

/** Parts of a backup, and how many bytes they added to the target. */
interface StoredParts {
  parts: SnapshotPart[];
  added: number;
}

/** Puts the volumes of an app into a repository as a snapshot has them; `left` says of those that it does not have whole why that is. */
export async function storeFromSnapshot(
  own: Own,
  session: EngineSession,
  appId: string,
  snapshot: TakenSnapshot,
  { target, onProgress }: Pick<Storing, "target" | "onProgress">,
): Promise<StoredParts & { left: { name: string; why: string }[] }> {
  const stored: StoredParts & { left: { name: string; why: string }[] } = { parts: [], added: 0, left: [] };
  for (const { name, summary } of await listPresent(own, appId)) {
    const place = placeOf(summary);
    const found = place === null ? { why: "is no plain folder of this server" } : await snapshot.find(place);
    const still = "root" in found ? { root: found.root, taken_at: snapshot.taken_at } : null;
    const direct = still && (await storeFolder(own, session, target, summary, onProgress, still));
    if (direct === null) {
      stored.left.push({ name, why: "why" in found ? found.why : "has what cannot be read there" });
      continue;
    }
    const { added, ...part } = direct;
    stored.added += added;
    stored.parts.push({ kind: "volume", app: appId, name, ...part });
  }
  return stored;
}

/** Puts the volumes of an app into a repository. Throws AppFault where files that are written keep them from being read whole. */
export async function storeVolumes(
  own: Own,
  session: EngineSession,
  appId: string,
  { target, isLive, onProgress, withStill, but }: Storing,
): Promise<StoredParts> {
  const parts: SnapshotPart[] = [];
  let added = 0;
  for (const volume of await listPresent(own, appId)) {
    if (but.has(volume.name)) continue;
    const direct = isLive ? null : await storeFolder(own, session, target, volume.summary, onProgress);
    if (direct !== null) {
      const { added: more, ...part } = direct;
      added += more;
      parts.push({ kind: "volume", app: appId, name: volume.name, ...part });
      continue;
    }
    await throughCarrier(own, appId, { source: volume.source, isReading: true }, async (container) => {
      const stored = storeVolume(own, session, container, volume, { onProgress, withStill });
      const { added: more, ...part } = await stored.catch((error: unknown) => {
        if (!(error instanceof BrokenArchive)) throw error;
        throw new AppFault(
          `Files in ${volume.name} became shorter each time they were copied. Choose that the app is paused meanwhile.`,
        );
      });
      added += more;
      parts.push({ kind: "volume", app: appId, name: volume.name, ...part });
    });
  }
  return { parts, added };
}

/** What is in a volume of Docker, as an archive. */
export const readVolume = <Result>(
  own: Own,
  appId: string,
  source: string,
  use: (archive: AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Result> =>
  throughCarrier(own, appId, { source, isReading: true, carrier: "backup-from" }, async (container) =>
    use(await own.runtime.requireEngine().readArchive(container, `${ROOT}/${FOLDER}`, own.signal)),
  );

/** Who else has a volume is named up to so many. */
const MOST_USERS = 5;

/** The volumes of an app that a restore replaces: those of `parts`, and those of `loaded` by the names that the app gives them. */
const listReplaced = (own: Own, appId: string, parts: readonly SnapshotPart[], loaded: ReadonlyMap<string, string>) =>
  own.apps.volumesOf(appId).flatMap(({ name, source }) => {
    const part = parts.find((one) => one.kind === "volume" && one.name === name);
    const ready = loaded.get(name);
    return part || ready !== undefined ? [{ name, source, part, ready }] : [];
  });

/**
 * Throws AppFault where containers of others have one of the volumes that a restore replaces, also while they stand still: Docker removes
 * none of those, so that the app would wait for its data for as long as they are there.
 */
export async function assertUnshared(
  own: Own,
  appId: string,
  parts: readonly SnapshotPart[],
  loaded: ReadonlyMap<string, string>,
): Promise<void> {
  const engine = own.runtime.requireEngine();
  const sources = new Set(listReplaced(own, appId, parts, loaded).map(({ source }) => source));
  const isOne = ({ Type, Name = "" }: ContainerMount) => Type === "volume" && sources.has(Name);
  const users = (await engine.listContainers({})).filter(({ Mounts }) => Mounts?.some(isOne));
  if (users.length === 0) return;
  const ofApp = new Set((await engine.listContainers(appLabels(nodeId(own.seal), appId))).map(({ Id }) => Id));
  const others = users.filter(({ Id }) => !ofApp.has(Id)).map(({ Names, Id }) => Names[0]?.slice(1) ?? Id.slice(0, 12));
  if (others.length === 0) return;
  const named = others.length > MOST_USERS ? [...others.slice(0, MOST_USERS), "others"] : others;
  throw new AppFault(
    `Other containers have the data of ${own.apps.get(appId).name}, too: ${named.join(", ")}. Remove them first; Docker replaces nothing that they have, even while they are stopped.`,
  );
}

/**
 * Replaces the volumes of an app that stands still by what they were; those of `loaded`, by the name that the app gives them, by what is
 * in these volumes of Docker. Its containers go too; they are made anew at its start.
 */
export async function replaceVolumes(
  own: Own,
  session: EngineSession,
  appId: string,
  parts: readonly SnapshotPart[],
  loaded: ReadonlyMap<string, string>,
): Promise<void> {
  const engine = own.runtime.requireEngine();
  const labels = appLabels(nodeId(own.seal), appId);
  for (const { Id } of await engine.listContainers(labels)) await engine.removeContainer(Id);
  const present = await engine.listVolumes({ [APP_LABEL]: appId });
  for (const { name, source, part, ready } of listReplaced(own, appId, parts, loaded)) {
    const more = present.find(({ Name }) => Name === source)?.Labels ?? {};
    await engine.removeVolume(source);
    await engine.createVolume(source, { ...more, ...labels, [VOLUME_LABEL]: name });
    const from = ready === undefined && part ? session.read(part) : { volume: ready ?? "" };
    await fillVolume(own, appId, { source, labels }, from);
  }
}

/** Unpacks an archive, or what another volume of Docker has, into an empty volume; the container on the way has these labels. */
export async function fillVolume(
  own: Own,
  appId: string,
  { source, labels }: { source: string; labels: Record<string, string> },
  from: AsyncIterable<Uint8Array> | { volume: string },
): Promise<void> {
  await throughCarrier(own, appId, { source, isReading: false, labels }, async (container) => {
    const write = (archive: AsyncIterable<Uint8Array>) =>
      own.runtime.requireEngine().writeArchive(container, ROOT, archive, own.signal);
    if ("volume" in from) await readVolume(own, appId, from.volume, write);
    else await write(from);
  });
}

/** The volume that an app gives that name. Throws Error where Docker has none. */
async function findVolume(own: Own, appId: string, name: string): Promise<Volume> {
  const volume = (await listPresent(own, appId)).find((one) => one.name === name);
  if (!volume) throw new Error(`${own.apps.get(appId).name} has no volume ${name} now. Start the app once.`);
  return volume;
}

/** Reads what stands at a path of a volume as an archive. Throws EngineError of status 404 where nothing does. */
export async function readVolumePath(
  own: Own,
  appId: string,
  name: string,
  path: string,
  use: (archive: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const { source } = await findVolume(own, appId, name);
  await throughCarrier(own, appId, { source, isReading: true }, async (container) =>
    use(await own.runtime.requireEngine().readArchive(container, `${ROOT}/${FOLDER}/${path}`, own.signal)),
  );
}

/** Reads what stands at a path of a volume, as far as `use` wants it; null where nothing does. */
export type ReadPath = <Result>(
  path: string,
  use: (archive: AsyncIterable<Uint8Array>) => Promise<Result>,
) => Promise<Result | null>;

async function* passOn(archive: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* archive;
}

/** Reads single paths of a volume while all of it is read, too, one after the other. */
export const besideReading = <Result>(
  own: Own,
  appId: string,
  { source }: Volume,
  use: (read: ReadPath) => Promise<Result>,
): Promise<Result> =>
  throughCarrier(own, appId, { source, isReading: true, carrier: "backup-still" }, (container) =>
    use(async (path, hand) => {
      const at = `${ROOT}/${FOLDER}${path === "" ? "" : `/${path}`}`;
      try {
        const pieces = passOn(await own.runtime.requireEngine().readArchive(container, at, own.signal));
        try {
          return await hand(pieces);
        } finally {
          // Docker reads nothing else through a container before that is over.
          await pieces.return(undefined);
        }
      } catch (error) {
        if (error instanceof EngineError && error.status === 404) return null;
        throw error;
      }
    }),
  );

/** Unpacks an archive, whose names begin with that of the volume's folder, into what a volume has. */
export async function writeVolume(
  own: Own,
  appId: string,
  name: string,
  archive: AsyncIterable<Uint8Array>,
): Promise<void> {
  const { source } = await findVolume(own, appId, name);
  await throughCarrier(own, appId, { source, isReading: false }, (container) =>
    own.runtime.requireEngine().writeArchive(container, ROOT, archive, own.signal),
  );
}
