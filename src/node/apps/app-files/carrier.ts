import { minutes } from "../../../lib/duration.ts";
import { APP_LABEL, findImageHere, NODE_LABEL, nodeId } from "../apps/index.ts";
import { type Engine, EngineError } from "../runtime/index.ts";
import { fail } from "./contract.ts";
import type { Own } from "./needs.ts";
import { type Place, pathOf } from "./place.ts";
import { ENDS, type Script } from "./scripts.ts";

/** Where the volume lies in the container that reads it, by its own name: an archive of it begins with that. */
const ROOT = "/orrery";
export const placeInside = ({ volume, parts }: Place): string => [ROOT, volume.name, ...parts].join("/");

/** What a script may write in all. */
const MOST_OUTPUT = 8 * 1_048_576;
/** Removing many files takes its time. */
const MOST_MS = minutes(10);
const NO_SHELL = /executable file not found|no such file or directory|exec format error/i;

/** By these a container that outlived the program is found. */
const FILES_LABEL = "orrery.files";
const ownLabels = ({ seal }: Pick<Own, "seal">) => ({ [NODE_LABEL]: nodeId(seal), [FILES_LABEL]: "1" });

/** What a script wrote, and the container it ran in, which stands still and still has the volume. */
export interface Carried {
  output: string;
  container: string;
}

/** What the container has: the volume, and tools from an image of the app; no network, no other data, no secrets of the app. */
function specOf(own: Own, place: Place, image: string, script: Script): Record<string, unknown> {
  return {
    Image: image,
    Entrypoint: ["sh"],
    Cmd: ["-c", script.text, "sh", `${ROOT}/${place.volume.name}`, pathOf(place), ...script.words],
    User: "0:0",
    WorkingDir: "/",
    Env: ["LC_ALL=C"],
    NetworkDisabled: true,
    Healthcheck: { Test: ["NONE"] },
    Labels: { [APP_LABEL]: place.app.id, ...ownLabels(own) },
    HostConfig: {
      NetworkMode: "none",
      ReadonlyRootfs: true,
      Memory: 128 * 1_048_576,
      PidsLimit: 32,
      CapDrop: ["ALL"],
      CapAdd: ["DAC_OVERRIDE", "CHOWN", "FOWNER"],
      SecurityOpt: ["no-new-privileges"],
      LogConfig: { Type: "json-file", Config: {} },
      Mounts: [
        {
          Type: "volume",
          Source: place.volume.source,
          Target: `${ROOT}/${place.volume.name}`,
          ReadOnly: !script.isChanging,
          VolumeOptions: { NoCopy: true },
        },
      ],
    },
  };
}

async function readAll(engine: Engine, container: string, signal: AbortSignal) {
  const text = { stdout: "", stderr: "" };
  for await (const line of await engine.readLogs(container, { tail: "all", follow: true, signal })) {
    text[line.stream] += `${line.text}\n`;
    if (text.stdout.length + text.stderr.length > MOST_OUTPUT) break;
  }
  return text;
}

/** The images of an app that are here, to look for tools in. */
async function listImages(own: Pick<Own, "apps" | "settings">, engine: Engine, { app }: Place): Promise<string[]> {
  const images = [...new Set(own.apps.listServices(app.id).map(({ image }) => image))];
  const names = await Promise.all(images.map((image) => findImageHere(own, engine, image)));
  return names.filter((name) => name !== null);
}

/**
 * Runs a script in a container that has nothing but the volume, so that no name and no link leads further than that, whatever the
 * app does at the same time. `use` is called with what it wrote, and may read the volume through the container. Throws what
 * the script ended with.
 */
export async function runScript<Result>(
  own: Own,
  place: Place,
  script: Script,
  use: (carried: Carried) => Promise<Result>,
): Promise<Result> {
  const engine = own.runtime.requireEngine();
  const late = new AbortController();
  const cancel = own.clock.after(MOST_MS, () => late.abort());
  const signal = AbortSignal.any([own.signal, late.signal]);
  try {
    // The engine would make a volume that it does not have.
    const volumes = await engine.listVolumes({ [APP_LABEL]: place.app.id });
    if (!volumes.some(({ Name }) => Name === place.volume.source))
      throw fail("app_volume_not_found", { app: place.app.name, volume: place.volume.name });
    for (const image of await listImages(own, engine, place)) {
      const container = await engine.createContainer(
        `orrery-${place.app.name}-files-${own.ids.next("run").slice(-8).toLowerCase()}`,
        specOf(own, place, image, script),
      );
      own.carriers.add(container);
      try {
        if (!(await startsShell(engine, container))) continue;
        const { stdout, stderr } = await readAll(engine, container, signal);
        const code = (await engine.inspectContainer(container))?.State.ExitCode ?? -1;
        if (code === ENDS.noTools) continue;
        if (code !== 0) throw explain(place, script, code, stderr);
        return await use({ output: stdout, container });
      } finally {
        own.carriers.delete(container);
        await engine.removeContainer(container).catch((error: unknown) => {
          own.log.warn("a container that showed files stays", { container, error });
        });
      }
    }
  } finally {
    cancel();
  }
  throw fail("app_files_no_tools", { app: place.app.name });
}

/** Removes what a program that was killed has left: it would keep volumes in use. */
export async function sweepCarriers(own: Own, engine: Engine): Promise<void> {
  for (const { Id } of await engine.listContainers(ownLabels(own)))
    if (!own.carriers.has(Id)) await engine.removeContainer(Id);
}

/** False for an image without a shell. */
async function startsShell(engine: Engine, container: string): Promise<boolean> {
  try {
    await engine.startContainer(container);
    return true;
  } catch (error) {
    if (error instanceof EngineError && error.status !== 0 && NO_SHELL.test(error.message)) return false;
    throw error;
  }
}

function explain(place: Place, { about }: Script, code: number, stderr: string) {
  const path = [...place.parts, ...about].join("/") || place.volume.name;
  if (code === ENDS.link) return fail("app_file_is_link", { path });
  if (code === ENDS.missing) return fail("app_file_not_found", { path });
  if (code === ENDS.exists) return fail("app_file_exists", { path });
  const reason = stderr.trim().split("\n").at(-1)?.slice(0, 300) ?? "";
  return fail("app_files_refused", {
    reason: reason === "" ? `it ended with ${code}.` : `${reason.replace(/\.$/, "")}.`,
  });
}
