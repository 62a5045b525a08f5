import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../kit/client.ts";
import { freePort } from "../kit/free-port.ts";
import { madeBytes } from "../kit/made-bytes.ts";
import { createSignedCalls } from "../kit/signed-calls.ts";
import { until } from "../kit/until.ts";
import { type Bench, type Measure, ownerHeaders } from "./bench.ts";
import { startNode } from "./programs.ts";
import { type Figure, median, percentile } from "./table.ts";

const MIB = 1024 * 1024;
const FILES = Number(process.env["BENCH_BACKUP_FILES"] ?? 10_000);
/** About 1 GiB: a hundred large ones, the rest small. */
const LARGE = FILES / 100;
const LARGE_BYTES = 8 * MIB;
const SMALL_BYTES = 25 * 1024;
const ROUNDS = 3;
const PASSWORD = "bench";
/** What is backed up while answers are timed, and how long is waited between two of them. */
const OBJECTS = 120;
const OBJECT_BYTES = 5 * MIB;
const PAUSE_MS = 5;

/** What one program needed. */
interface Run {
  /** Seconds of its own and of its children, and of the clock. */
  cpu: number;
  wall: number;
  /** Most that was resident at once, in MB. */
  memory: number;
}

async function timed(argv: readonly string[], env: Record<string, string>, cwd: string): Promise<Run> {
  const began = performance.now();
  const child = Bun.spawn([...argv], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: cwd, ...env },
    stdout: "ignore",
    stderr: "pipe",
  });
  const said = await child.stderr.text();
  if ((await child.exited) !== 0) throw new Error(`${argv.join(" ")}: ${said.slice(-400)}`);
  const wall = (performance.now() - began) / 1000;
  const use = child.resourceUsage();
  const cpu = Number(use?.cpuTime.total ?? 0) / 1e6;
  return { cpu, wall, memory: (use?.maxRSS ?? 0) / MIB };
}

/** Half of what it holds can be compressed, as of most trees. */
function contentOf(seed: number, size: number): Uint8Array {
  const bytes = madeBytes(seed, size);
  for (let at = 0; at < size; at += 8192) bytes.fill(seed & 0x7f, at, Math.min(size, at + 4096));
  return bytes;
}

const pathOf = (tree: string, index: number): string => join(tree, `folder-${index % 100}`, `file-${index}`);

function writeTree(tree: string): void {
  for (let folder = 0; folder < 100; folder += 1) mkdirSync(join(tree, `folder-${folder}`), { recursive: true });
  for (let index = 0; index < FILES; index += 1)
    writeFileSync(pathOf(tree, index), contentOf(index, index < LARGE ? LARGE_BYTES : SMALL_BYTES));
}

/** One of a hundred files becomes another one. */
function change(tree: string, round: number): void {
  for (let index = round; index < FILES; index += 100) {
    writeFileSync(
      pathOf(tree, index),
      contentOf(1_000_000 * (round + 1) + index, index < LARGE ? LARGE_BYTES : SMALL_BYTES),
    );
    utimesSync(pathOf(tree, index), 1_800_000_000 + round, 1_800_000_000 + round);
  }
}

interface Program {
  name: string;
  prepare(work: string): Promise<void>;
  backUp(work: string, id: string): Promise<Run>;
  restore(work: string, id: string): Promise<Run>;
}

const OWN = join(import.meta.dir, "../kit/backup-child.ts");
const own: Program = {
  name: "ours",
  prepare: async (work) => void (await timed([process.execPath, OWN, "create", join(work, "ours")], {}, work)),
  backUp: (work, id) => timed([process.execPath, OWN, "store", join(work, "ours"), id, "tree"], {}, work),
  restore: (work, id) =>
    timed(
      ["sh", "-c", `"${process.execPath}" "${OWN}" read "${join(work, "ours")}" ${id} | tar -C out -xpf -`],
      {},
      work,
    ),
};

const resticEnv = (work: string) => ({ RESTIC_PASSWORD: PASSWORD, RESTIC_REPOSITORY: join(work, "restic") });
const restic: Program = {
  name: "restic",
  prepare: async (work) => void (await timed(["restic", "init", "-q"], resticEnv(work), work)),
  backUp: (work, id) => timed(["restic", "backup", "-q", "--tag", id, "tree"], resticEnv(work), work),
  restore: (work) => timed(["restic", "restore", "-q", "latest", "--target", "out"], resticEnv(work), work),
};

const borgEnv = (work: string) => ({ BORG_PASSPHRASE: PASSWORD, BORG_REPO: join(work, "borg") });
const borg: Program = {
  name: "borg",
  prepare: async (work) => void (await timed(["borg", "init", "-e", "repokey-blake2"], borgEnv(work), work)),
  backUp: (work, id) => timed(["borg", "create", "-C", "zstd", `::${id}`, "tree"], borgEnv(work), work),
  async restore(work, id) {
    return await timed(["borg", "extract", `::${id}`], borgEnv(work), join(work, "out"));
  },
};

async function bytesIn(folder: string): Promise<number> {
  const child = Bun.spawn(["du", "-sb", folder], { stdout: "pipe" });
  return Number((await child.stdout.text()).split("\t")[0]);
}

interface Taken {
  first: Run;
  again: Run;
  back: Run;
  stored: number;
}

/**
 * A first backup, one after a change, and the way back, of each program on the same tree. Nothing is deleted meanwhile: ext4 looks for a
 * while past every file that was deleted when it makes one, which would count against whoever comes next.
 */
async function round(work: string, number: number, say: (line: string) => void): Promise<Map<string, Taken>> {
  const taken = new Map<string, Taken>();
  const tree = join(work, "tree");
  mkdirSync(tree, { recursive: true });
  writeTree(tree);
  const programs = Bun.which("borg") === null ? [own, restic] : [own, restic, borg];
  const firsts = new Map<string, Run>();
  for (const program of programs) {
    await program.prepare(work);
    firsts.set(program.name, await program.backUp(work, "first"));
  }
  const stored = new Map<string, number>();
  for (const { name } of programs) stored.set(name, await bytesIn(join(work, name)));
  change(tree, number);
  for (const program of programs) {
    const again = await program.backUp(work, "again");
    const out = join(work, "out");
    mkdirSync(out);
    const back = await program.restore(work, "again");
    const wrong = await Bun.spawn(["diff", "-rq", join(out, "tree"), tree], { stdout: "ignore" }).exited;
    if (wrong !== 0) throw new Error(`${program.name} brought something else back`);
    renameSync(out, join(work, `out-${program.name}`));
    const first = firsts.get(program.name) ?? again;
    taken.set(program.name, { first, again, back, stored: stored.get(program.name) ?? 0 });
    say(
      `  ${program.name}: first ${first.cpu.toFixed(1)} s of a processor (${first.wall.toFixed(1)} s), again ${again.cpu.toFixed(1)} (${again.wall.toFixed(1)}), back ${back.cpu.toFixed(1)} (${back.wall.toFixed(1)}), ${first.memory.toFixed(0)} MB, stored ${((stored.get(program.name) ?? 0) / MIB).toFixed(0)} MiB`,
    );
  }
  return taken;
}

/** Most that storing into a repository of a terabyte, tidying it up and forgetting all of it take, in MB: a million chunks in packs that are made up as they are read. */
async function memoryOfTerabyte(): Promise<{ store: number; prune: number; forget: number }> {
  const folder = mkdtempSync(join(tmpdir(), "orrery-bench-terabyte-"));
  const child = join(import.meta.dir, "../kit/large-repository-child.ts");
  const take = async (work: "prepare" | "store" | "prune" | "forget"): Promise<number> => {
    const { stdout } = Bun.spawn([process.execPath, child, work, folder, "1048576"], { stdout: "pipe" });
    const said: { most: number } = JSON.parse(await stdout.text());
    return said.most;
  };
  try {
    await take("prepare");
    const [store, prune] = [await take("store"), await take("prune")];
    return { store, prune, forget: Math.max(await take("forget"), await take("forget")) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Times of answers of the compiled node at rest and while it backs up a large object again and again, p95 in milliseconds. */
async function answersMeanwhile(bench: Bench): Promise<{ idle: number; busy: number }> {
  const work = mkdtempSync(join(tmpdir(), "orrery-bench-backup-api-"));
  const headers = await ownerHeaders(bench);
  const port = freePort();
  const env = { ORRERY_S3_LISTEN: `127.0.0.1:${port}` };
  const running = await startNode(bench.folder.path, { probe: "/api/apps", headers, env });
  const ask = async (): Promise<number> => {
    const begin = performance.now();
    await (await fetch(`${running.url}/api/apps`, { headers })).text();
    return performance.now() - begin;
  };
  const times = async (isOver: () => boolean | Promise<boolean>): Promise<number[]> => {
    const found: number[] = [];
    for (let count = 0; count % 20 !== 0 || !(await isOver()); count += 1) {
      found.push(await ask());
      await Bun.sleep(PAUSE_MS);
    }
    return found;
  };
  try {
    const owner = createClient(running.url, headers["authorization"]?.slice("Bearer ".length));
    await owner.ok("POST /api/objects/buckets", { name: "bench", visibility: "private" });
    const grants = [{ bucket: "bench", read: true, write: true, owner: true }];
    const keys = await owner.ok("POST /api/objects/access-keys", { name: "bench", grants });
    const s3 = createSignedCalls(`http://127.0.0.1:${port}`, keys, Date.now);
    const stored = () =>
      s3("GET", "bench", { query: { "max-keys": "1" } }).then(
        ({ status }) => status === 200,
        () => false,
      );
    await until(stored, { timeoutMs: 30_000, what: "the store to answer" });
    for (let index = 0; index < OBJECTS; index += 1)
      await s3("PUT", "bench", {
        key: `large-${index}`,
        body: Buffer.from(contentOf(index, OBJECT_BYTES)).toString("base64"),
      });
    const path = join(work, "target");
    mkdirSync(path);
    const { id } = await owner.ok("POST /api/backup/targets", { type: "local", name: "bench", path });
    for (let count = 0; count < 200; count += 1) await ask();
    const began = performance.now();
    const idle = await times(() => performance.now() - began > 5000);
    const backup = await owner.ok("POST /api/backups", { target: id, apps: [], include_config: true });
    const busy = await times(async () => (await owner.ok(`GET /api/operations/${backup.op_id}`)).status !== "running");
    return { idle: percentile(idle, 95), busy: percentile(busy, 95) };
  } finally {
    await running.stop();
    rmSync(work, { recursive: true, force: true });
  }
}

/** Backups of one tree beside restic and borg, each into an encrypted folder with deduplication and zstd. */
export const backup: Measure = {
  name: "backup",
  async run(bench) {
    const { say } = bench;
    const memory = await memoryOfTerabyte();
    say(
      `  beside a terabyte: ${memory.store.toFixed(0)} MB for storing, ${memory.prune.toFixed(0)} MB for tidying up, ${memory.forget.toFixed(0)} MB for forgetting all`,
    );
    const meanwhile = await answersMeanwhile(bench);
    say(
      `  GET /api/apps, p95: ${meanwhile.idle.toFixed(2)} ms at rest, ${meanwhile.busy.toFixed(2)} ms while a backup runs`,
    );
    const rounds: Map<string, Taken>[] = [];
    const work = mkdtempSync(join(tmpdir(), "orrery-bench-backup-"));
    try {
      for (let number = 0; number < ROUNDS; number += 1) rounds.push(await round(join(work, `${number}`), number, say));
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
    const ratio = (peer: string, of: (taken: Taken) => number): number =>
      median(
        rounds.map((taken) => {
          const [mine, other] = [taken.get("ours"), taken.get(peer)];
          return mine && other ? of(mine) / of(other) : Number.NaN;
        }),
      );
    const figure = (what: string, most: number | null, of: (taken: Taken) => number): Figure => ({
      measure: `backup: ${what}, ours to restic`,
      value: ratio("restic", of),
      unit: "times",
      limit: most === null ? null : { kind: "most", value: most },
      baseline: Bun.which("borg") === null ? null : ratio("borg", of),
      note: `median of ${ROUNDS} rounds in one run, ${FILES} files; baseline: ours to borg`,
    });
    return [
      figure("first run, wall time", 1, ({ first }) => first.wall),
      figure("after 1 % changed, wall time", 1, ({ again }) => again.wall),
      figure("restore, wall time", 1, ({ back }) => back.wall),
      figure("first run, processor time", null, ({ first }) => first.cpu),
      figure("stored", 1.03, ({ stored }) => stored),
      {
        measure: "backup: memory, into a repository of 1 TiB",
        value: memory.store,
        unit: "MB",
        limit: { kind: "most", value: 150 },
        baseline: null,
        note: "most that was resident; a million chunks in 65,536 packs that are made up as they are read, 256 MiB stored",
      },
      {
        measure: "backup: memory, tidying up 1 TiB",
        value: memory.prune,
        unit: "MB",
        limit: { kind: "most", value: 150 },
        baseline: null,
        note: "the same repository; a backup needs nearly all of it, and of 16 packs so little that they are gathered",
      },
      {
        measure: "backup: memory, forgetting 1 TiB",
        value: memory.forget,
        unit: "MB",
        limit: { kind: "most", value: 150 },
        baseline: null,
        note: "the same repository, of which no backup is left: all packs are condemned, and the next day known to be; the larger of both",
      },
      {
        measure: "backup: p95 of GET /api/apps meanwhile",
        value: meanwhile.busy / meanwhile.idle,
        unit: "of idle",
        limit: { kind: "most", value: 1.25 },
        baseline: null,
        note: `${meanwhile.idle.toFixed(2)} ms at rest, ${meanwhile.busy.toFixed(2)} ms while ${OBJECTS} objects of ${OBJECT_BYTES / MIB} MiB are backed up`,
      },
    ];
  },
};
