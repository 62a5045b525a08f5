import { createHash } from "node:crypto";
import type { Engine } from "../../runtime/index.ts";
import { EngineError } from "../../runtime/index.ts";
import type { Blueprint } from "../blueprint/blueprint.ts";
import { APP_LABEL, appLabels, nodeId, VOLUME_LABEL, volumeName } from "../blueprint/names.ts";
import { ensureImage } from "../images/ensure-image.ts";
import { AppFailure, toFailure } from "../work/failure.ts";
import type { Work } from "../work/work.ts";

/** Where a volume lies in the containers that it is copied through. */
const ROOT = "/orrery";
const NAME = "data";

/** A container that never runs: the engine reads and writes volumes only through one. */
const carrierName = (app: Blueprint["app"], side: "from" | "to") => `orrery-${app.name}-copy-${side}`;

async function removeCarriers(engine: Engine, app: Blueprint["app"]): Promise<void> {
  for (const side of ["from", "to"] as const) await engine.removeContainer(carrierName(app, side));
}

/** The volumes of an app that an update copies: all but caches, which programs make again. */
export function copiedVolumes({ project, manifest }: Pick<Blueprint, "project" | "manifest">): string[] {
  const caches = new Set(manifest.volumes.filter(({ role }) => role === "cache").map(({ name }) => name));
  return project.volumes.map(({ name }) => name).filter((name) => !caches.has(name));
}

async function* hashed(
  source: AsyncIterable<Uint8Array>,
  hash: ReturnType<typeof createHash>,
  count: (n: number) => void,
) {
  for await (const piece of source) {
    hash.update(piece);
    count(piece.length);
    yield piece;
  }
}

/**
 * Copies the data volumes of a stopped app into those of another generation, with owners, modes, times and links, and compares what
 * arrived with what was sent. A copy that was cut off is made anew. Throws AppFailure; the volumes that are copied are only read.
 */
export async function copyData(work: Work, before: Blueprint, generation: number): Promise<void> {
  const { own, engine, op, signal } = work;
  const { app, project } = before;
  const names = copiedVolumes(before);
  const [service] = project.services;
  if (!service || names.length === 0) return;
  const Image = await ensureImage(work, "copy", service.image);
  const labels = appLabels(nodeId(own.seal), app.id);
  const carrier = (side: "from" | "to", volume: string) =>
    engine.createContainer(carrierName(app, side), {
      Image,
      Entrypoint: ["none"],
      NetworkDisabled: true,
      Labels: labels,
      HostConfig: {
        Mounts: [
          {
            Type: "volume",
            Source: volume,
            Target: `${ROOT}/${NAME}`,
            ReadOnly: side === "from",
            VolumeOptions: { NoCopy: true },
          },
        ],
      },
    });
  const volumes = new Set((await engine.listVolumes({ [APP_LABEL]: app.id })).map(({ Name }) => Name));
  try {
    for (const name of names) {
      const from = volumeName(app, name);
      const to = volumeName({ id: app.id, generation }, name);
      await removeCarriers(engine, app);
      await engine.removeVolume(to);
      if (!volumes.has(from)) continue;
      const more = project.volumes.find((volume) => volume.name === name)?.labels ?? {};
      await engine.createVolume(to, { ...more, ...labels, [VOLUME_LABEL]: name });
      const source = await carrier("from", from);
      const target = await carrier("to", to);
      const sent = createHash("sha256");
      const arrived = createHash("sha256");
      let bytes = 0;
      const archive = await engine.readArchive(source, `${ROOT}/${NAME}`, signal);
      await engine.writeArchive(
        target,
        ROOT,
        hashed(archive, sent, (count) => {
          bytes += count;
        }),
        signal,
      );
      const copy = await engine.readArchive(target, `${ROOT}/${NAME}`, signal);
      for await (const piece of copy) arrived.update(piece);
      if (sent.digest("hex") !== arrived.digest("hex")) {
        throw new AppFailure({
          code: "copy_differs",
          cause: `The copy of its volume ${name} is not the same as the original.`,
          next_step: "Look whether something else writes into its volumes or the disk has faults, then update again.",
        });
      }
      op.log(`${name} is copied and compared (${Math.ceil(bytes / 1_048_576)} MB).`);
    }
  } catch (error) {
    signal.throwIfAborted();
    // The engine hangs up on an archive that it cannot unpack; that is no loss of the engine while it answers.
    const isHangUp = error instanceof EngineError && error.status === 0;
    if (error instanceof AppFailure || !isHangUp) throw error;
    await engine.listNetworks({ [APP_LABEL]: app.id });
    const { next_step } = toFailure(error);
    const cause = `Its data could not be copied: ${error.message}`;
    throw new AppFailure({ code: "copy_failed", cause, next_step });
  }
  await removeCarriers(engine, app);
}

/** Removes what copying left: the carriers and the volumes of that generation. */
export async function dropCopy(
  { engine }: Pick<Work, "engine">,
  app: Blueprint["app"],
  generation: number,
): Promise<void> {
  await removeCarriers(engine, app);
  await removeGeneration(engine, app.id, generation);
}

/** Deletes the volumes of one generation of an app. */
export async function removeGeneration(engine: Engine, appId: string, generation: number): Promise<void> {
  for (const { Name, Labels } of await engine.listVolumes({ [APP_LABEL]: appId })) {
    const volume = Labels?.[VOLUME_LABEL];
    if (volume !== undefined && Name === volumeName({ id: appId, generation }, volume)) await engine.removeVolume(Name);
  }
}
