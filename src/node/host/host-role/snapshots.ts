import { lstat, mkdir, readdir, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ProgramEnd, RunProgram } from "../../../kernel/host/run-program.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import type { Ids } from "../../../lib/ids.ts";
import { findSnapshotSource, type SnapshotSource } from "../../machine/index.ts";
import { lastLines } from "./last-lines.ts";
import { NoSnapshot, wayOf } from "./snapshot-kinds.ts";
import { hostFail, SNAPSHOT_FOLDER, type VerbInput, type VerbOutput } from "./verbs.ts";

const ENV = { LANG: "C.UTF-8", LC_ALL: "C.UTF-8" };
/** All that waits to be written goes to the disk first, which may be slow. */
const FLUSH_MS = minutes(5);
const CHANGE_MS = minutes(2);
const QUESTION_MS = seconds(10);
const NO_PROGRAM = 127;
/** One node has one at a time; each holds on to disk that was freed since. */
const MOST_SNAPSHOTS = 16;

export interface Snapshots {
  take(wanted: VerbInput<"snapshot.take">): Promise<VerbOutput<"snapshot.take">>;
  drop(wanted: VerbInput<"snapshot.drop">): Promise<VerbOutput<"snapshot.drop">>;
}

const refused = (reason: string) => hostFail("snapshot_refused", { reason });

/** Where the engine says that it keeps its data; null where it does not answer. */
async function askDataRoot(docker: string): Promise<string | null> {
  try {
    const answer = await fetch("http://docker/info", { unix: docker, signal: AbortSignal.timeout(QUESTION_MS) });
    const info: unknown = await answer.json();
    const isInfo = typeof info === "object" && info !== null && "DockerRootDir" in info;
    return isInfo && typeof info.DockerRootDir === "string" ? info.DockerRootDir : null;
  } catch {
    return null;
  }
}

/** A folder that nobody but us writes to. Throws `snapshot_refused`. */
async function assertOurs(folder: string): Promise<void> {
  const found = await lstat(folder).catch(() => null);
  const isOurs = found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
  if (!isOurs) throw refused(`${folder} is not a folder that this server's own user alone writes to`);
}

/** Snapshots of what has Docker's volumes: a subvolume, a dataset or a logical volume. They all show in one folder in Docker's own. */
export function createSnapshots({ run, ids, docker }: { run: RunProgram; ids: Ids; docker: string }): Snapshots {
  /** Docker's folder of snapshots. Throws `snapshot_refused` where the engine keeps its data elsewhere. */
  async function folderIn(dataRoot: string): Promise<string> {
    const known = await askDataRoot(docker);
    if (known === null) throw refused(`Docker does not say at ${docker} where it keeps its data`);
    if (known !== dataRoot) throw refused(`Docker keeps its data in ${known}, not in ${dataRoot}`);
    return join(known, SNAPSHOT_FOLDER);
  }

  async function work(task: string, argv: readonly string[], timeoutMs = CHANGE_MS): Promise<string> {
    const end: ProgramEnd = await run(argv, { timeoutMs, env: ENV });
    if (end.code === NO_PROGRAM) throw refused(`${argv[0]} is not installed on this server`);
    if (end.code !== 0) throw hostFail("snapshot_failed", { task, last_lines: lastLines(end) });
    return end.stdout;
  }

  /** What a snapshot of Docker's volumes is taken of. Throws `snapshot_refused`. */
  async function sourceIn(dataRoot: string): Promise<SnapshotSource> {
    const found = await findSnapshotSource(join(dataRoot, "volumes"));
    if ("why" in found) throw refused(found.why);
    return found;
  }

  return {
    async take({ owner, data_root }) {
      const folder = await folderIn(data_root);
      const from = await sourceIn(data_root);
      await mkdir(folder, { mode: 0o700 }).catch(() => {
        // It is there, or the check says what is.
      });
      await assertOurs(folder);
      if ((await readdir(folder)).length >= MOST_SNAPSHOTS)
        throw refused(`there are ${MOST_SNAPSHOTS} in ${folder} already`);
      const name = `${owner}-${ids.next("snp")}`;
      const path = join(folder, name);
      await work("write what waits for the disk", ["sync", "--file-system", "--", from.folder], FLUSH_MS);
      await wayOf(from)
        .take(work, from, name, path)
        .catch((error: unknown) => {
          throw error instanceof NoSnapshot ? refused(error.message) : error;
        });
      const volumes = join(path, from.inside);
      const [there, here] = await Promise.all([stat(volumes).catch(() => null), stat(from.folder)]);
      if (there?.ino === here.ino) return { name, volumes };
      // Something of the same disk is mounted on the way to it.
      await wayOf(from).drop(work, from, name, path);
      throw refused(`${data_root} is mounted from elsewhere on its disk`);
    },
    async drop({ name, data_root }) {
      const folder = await folderIn(data_root);
      const path = join(folder, name);
      const isThere = async () => (await lstat(path).catch(() => null)) !== null;
      if (!(await isThere())) return { dropped: false };
      await assertOurs(folder);
      try {
        const from = await sourceIn(data_root);
        await wayOf(from).drop(work, from, name, path);
      } catch (error) {
        // Somebody else was quicker.
        if (await isThere()) throw error;
      }
      await rmdir(folder).catch(() => {
        // There are others in it.
      });
      return { dropped: true };
    },
  };
}
