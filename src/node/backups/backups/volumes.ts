import { APP_LABEL, appLabels, nodeId, VOLUME_LABEL } from "../../apps/apps/index.ts";
import type { EngineSession, SnapshotPart } from "../engine/index.ts";
import type { Own } from "./needs.ts";

const ROOT = "/orrery";
const FOLDER = "data";

/** A volume of an app, by the name the app gives it and by that on Docker. */
interface Volume {
  name: string;
  source: string;
}

/** Any image of an app; one is fetched where none is here, as on a new server. */
async function findAnyImage(own: Own, appId: string): Promise<string> {
  const engine = own.runtime.requireEngine();
  const images = own.apps.listServices(appId).map(({ image }) => image);
  const find = async (): Promise<string | undefined> =>
    (await Promise.all(images.map((image) => engine.findImage(image)))).find((image) => image !== null)?.Id;
  const known = await find();
  if (known !== undefined) return known;
  const [first] = images;
  if (first !== undefined) await engine.pullImage(first, { login: null, onLine: () => {}, signal: own.signal });
  const fetched = await find();
  if (fetched === undefined)
    throw new Error(`No image of ${own.apps.get(appId).name} is on this server. Start it once.`);
  return fetched;
}

/**
 * Calls `use` with a container that never runs and has one volume: only through one does Docker read and write them. It is removed
 * afterwards; one that a killed program left is removed before.
 */
async function throughCarrier(
  own: Own,
  appId: string,
  volume: Volume,
  isReading: boolean,
  use: (container: string) => Promise<void>,
): Promise<void> {
  const engine = own.runtime.requireEngine();
  const Image = await findAnyImage(own, appId);
  const name = `orrery-${own.apps.get(appId).name}-backup`;
  await engine.removeContainer(name);
  const container = await engine.createContainer(name, {
    Image,
    Entrypoint: ["none"],
    NetworkDisabled: true,
    Labels: appLabels(nodeId(own.seal), appId),
    HostConfig: {
      Mounts: [
        {
          Type: "volume",
          Source: volume.source,
          Target: `${ROOT}/${FOLDER}`,
          ReadOnly: isReading,
          VolumeOptions: { NoCopy: true },
        },
      ],
    },
  });
  try {
    await use(container);
  } finally {
    await engine.removeContainer(container);
  }
}

/** The volumes of an app that are on Docker. */
async function listPresent(own: Own, appId: string): Promise<Volume[]> {
  const names = new Set(
    (await own.runtime.requireEngine().listVolumes({ [APP_LABEL]: appId })).map(({ Name }) => Name),
  );
  return own.apps.volumesOf(appId).filter(({ source }) => names.has(source));
}

/** Puts the volumes of an app that stands still into a repository. */
export async function storeVolumes(
  own: Own,
  session: EngineSession,
  appId: string,
  onProgress: (bytes: number) => void,
): Promise<{ parts: SnapshotPart[]; added: number }> {
  const parts: SnapshotPart[] = [];
  let added = 0;
  for (const volume of await listPresent(own, appId)) {
    await throughCarrier(own, appId, volume, true, async (container) => {
      const engine = own.runtime.requireEngine();
      const archive = await engine.readArchive(container, `${ROOT}/${FOLDER}`, own.signal);
      const { added: more, ...stored } = await session.storeStream(archive, onProgress);
      added += more;
      parts.push({ kind: "volume", app: appId, name: volume.name, ...stored });
    });
  }
  return { parts, added };
}

/** Replaces the volumes of an app that stands still by what they were. Its containers go too; they are made anew at its start. */
export async function replaceVolumes(
  own: Own,
  session: EngineSession,
  appId: string,
  parts: readonly SnapshotPart[],
): Promise<void> {
  const engine = own.runtime.requireEngine();
  const labels = appLabels(nodeId(own.seal), appId);
  for (const { Id } of await engine.listContainers(labels)) await engine.removeContainer(Id);
  const present = await engine.listVolumes({ [APP_LABEL]: appId });
  for (const volume of own.apps.volumesOf(appId)) {
    const part = parts.find(({ name }) => name === volume.name);
    if (!part) continue;
    const more = present.find(({ Name }) => Name === volume.source)?.Labels ?? {};
    await engine.removeVolume(volume.source);
    await engine.createVolume(volume.source, { ...more, ...labels, [VOLUME_LABEL]: volume.name });
    await throughCarrier(own, appId, volume, false, (container) =>
      engine.writeArchive(container, ROOT, session.read(part), own.signal),
    );
  }
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
  await throughCarrier(own, appId, await findVolume(own, appId, name), true, async (container) =>
    use(await own.runtime.requireEngine().readArchive(container, `${ROOT}/${FOLDER}/${path}`, own.signal)),
  );
}

/** Unpacks an archive, whose names begin with that of the volume's folder, into what a volume has. */
export async function writeVolume(
  own: Own,
  appId: string,
  name: string,
  archive: AsyncIterable<Uint8Array>,
): Promise<void> {
  await throughCarrier(own, appId, await findVolume(own, appId, name), false, (container) =>
    own.runtime.requireEngine().writeArchive(container, ROOT, archive, own.signal),
  );
}
