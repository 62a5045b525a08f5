import { seconds } from "../../../lib/duration.ts";
import { openTarFile } from "../../../lib/read-tar.ts";
import { writeTar } from "../../../lib/write-tar.ts";
import type { GivenFile, ServiceSpec } from "../compose/index.ts";
import { type Engine, EngineError } from "../runtime/index.ts";
import type { Own } from "./needs.ts";

const READ_MS = seconds(10);

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/**
 * Puts the texts that a service is given into its container, which has not been started yet; doing it again changes nothing. Only
 * Docker keeps them then, in the container's own layer, as Compose does it.
 */
export async function putFiles(
  { clock, signal }: Pick<Own, "clock" | "signal">,
  engine: Engine,
  { files }: ServiceSpec,
  container: string,
): Promise<void> {
  for (const { target, text, uid, gid, mode } of files) {
    const bytes = new TextEncoder().encode(text);
    const modified = Math.floor(clock.now() / 1000);
    const header = { name: target.slice(1), size: bytes.length, uid, gid, modified, mode };
    await engine.writeArchive(container, "/", writeTar(header, once(bytes)), signal);
  }
}

/** Whether the container that somebody else made has a file with this text. */
async function hasFile(engine: Engine, container: string, { target, text }: GivenFile): Promise<boolean> {
  const wanted = Buffer.from(text);
  try {
    const archive = await engine.readArchive(container, target, AbortSignal.timeout(READ_MS));
    const { size, bytes } = await openTarFile(archive);
    if (size !== wanted.length) return false;
    const pieces: Uint8Array[] = [];
    for await (const piece of bytes) pieces.push(piece);
    return wanted.equals(Buffer.concat(pieces));
  } catch (error) {
    if (error instanceof EngineError && error.status !== 404) throw error;
    return false;
  }
}

/** Keys of a service whose texts a container of somebody else does not have as the file says. */
export async function findOtherFiles(engine: Engine, { files }: ServiceSpec, container: string): Promise<string[]> {
  const keys = new Set<string>();
  for (const file of files) {
    if (!keys.has(`${file.kind}s`) && !(await hasFile(engine, container, file))) keys.add(`${file.kind}s`);
  }
  return [...keys];
}
