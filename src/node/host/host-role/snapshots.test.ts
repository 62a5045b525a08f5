import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "../../../../tests/kit/env.ts";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { type Disk, type DiskKind, diskKinds, mountDisk } from "../../../../tests/kit/snapshot-disks.ts";
import { type RunProgram, tryProgram } from "../../../kernel/host/run-program.ts";
import { createLog } from "../../../kernel/log.ts";
import { createIds } from "../../../lib/ids.ts";
import { createAnswerVerb } from "./answer-verb.ts";

/** The program that takes them. */
const PROGRAMS: Record<DiskKind, string> = { btrfs: "btrfs", lvm: "lvcreate", "lvm-thin": "lvcreate", zfs: "zfs" };

const snapshotsOf = (kind: DiskKind) => {
  const owner = "0123456789abcdef";
  let folder: string;
  let disk: string;
  let mountedDisk: Disk;
  /** Docker's data folder, and what the engine says it is. */
  let root: string;
  let told: string;
  let engine: { stop(isNow: boolean): Promise<void> };
  let record: Record<string, unknown>[];

  beforeAll(async () => {
    folder = makeScratch("snapshots");
    disk = join(folder, "disk");
    mkdirSync(disk);
    mountedDisk = await mountDisk(kind, join(folder, "disk.img"), disk, kind === "btrfs" ? 120 : 600);
    root = join(disk, "lib/docker");
    mkdirSync(join(root, "volumes/files/_data"), { recursive: true });
    const serve = { unix: join(folder, "docker.sock"), fetch: () => Response.json({ DockerRootDir: told }) };
    engine = Bun.serve(serve);
  });
  afterAll(async () => {
    await engine.stop(true);
    Bun.spawnSync(["umount", join(folder, "bound")]);
    await mountedDisk.dispose();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    record = [];
    told = root;
    writeFileSync(join(root, "volumes/files/_data/note"), "then");
  });

  const snapshots = () => join(root, "orrery-snapshots");
  const here = () => (existsSync(snapshots()) ? readdirSync(snapshots()) : []);
  // biome-ignore lint/suspicious/noExplicitAny: a wrong guess fails the test
  async function ask(verb: string, input: object, run: RunProgram = tryProgram): Promise<any> {
    const clock = createFakeClock();
    const answer = createAnswerVerb({
      audit: { append: ({ phase }) => void record.push({ phase, here: here().length }) },
      clock,
      docker: join(folder, "docker.sock"),
      host: { isLocked: () => false },
      ids: createIds(clock.now),
      log: createLog(clock, "error", () => {}),
      run,
    });
    return await answer({ verb, input: { data_root: root, ...input }, by: "op_1" }, { onLine: () => {} });
  }
  const take = (more: object = {}, run?: RunProgram) => ask("snapshot.take", { owner, ...more }, run);
  const refusal = async (asking: Promise<unknown>) => {
    const failure: { code: string; params: Record<string, unknown> } = await asking.then(
      () => ({ code: "it was done", params: {} }),
      (error) => error,
    );
    const { code, params } = failure;
    return `${code}: ${params["reason"] ?? params["last_lines"] ?? ""}`;
  };

  test("one has what was there when it was taken, cannot be written to, and leaves nothing when it is dropped", async () => {
    const { name, volumes } = await take();
    const note = join(root, "volumes/files/_data/note");
    writeFileSync(note, "now");
    expect(name).toStartWith(`${owner}-snp_`);
    expect(readFileSync(join(volumes, "files/_data/note"), "utf8")).toBe("then");
    expect(() => writeFileSync(join(volumes, "files/_data/note"), "mine")).toThrow("EROFS");
    expect(await mountedDisk.snapshots()).toHaveLength(1);
    expect(await ask("snapshot.drop", { name })).toEqual({ dropped: true });
    expect([await mountedDisk.snapshots(), existsSync(snapshots()), readFileSync(note, "utf8")]).toEqual([
      [],
      false,
      "now",
    ]);
    expect(await ask("snapshot.drop", { name })).toEqual({ dropped: false });
    // On record before anything is done.
    expect(record.slice(0, 4)).toEqual([
      { phase: "begun", here: 0 },
      { phase: "done", here: 1 },
      { phase: "begun", here: 1 },
      { phase: "done", here: 0 },
    ]);
  });

  test("only of Docker's own folder, as its engine says it, and only where all of that is in one snapshot", async () => {
    for (const data_root of [disk, "/", `${root}/`, join(root, "volumes")])
      expect(await refusal(take({ data_root }))).toContain(`Docker keeps its data in ${root}, not in ${data_root}`);
    told = folder;
    mkdirSync(join(folder, "volumes"));
    expect(await refusal(take({ data_root: folder }))).toContain(
      "snapshots are taken of btrfs, ZFS and logical volumes",
    );
    told = join(disk, "nowhere");
    expect(await refusal(take({ data_root: told }))).toContain("cannot be seen from here");
    // From the middle of a disk, and from the same one to another place in it.
    for (const [at, why] of [
      [join(folder, "bound"), "mounted from the middle of a subvolume"],
      [join(disk, "bound"), "is mounted from elsewhere on its disk"],
    ] as const) {
      told = at;
      mkdirSync(told);
      Bun.spawnSync(["mount", "--bind", root, told]);
      try {
        if (kind === "btrfs") expect(await refusal(take({ data_root: told }))).toContain(why);
        else await ask("snapshot.drop", { name: (await take({ data_root: told })).name, data_root: told });
      } finally {
        Bun.spawnSync(["umount", told]);
      }
    }
    expect(await mountedDisk.snapshots()).toEqual([]);
  });

  test("a server without the program, or without room for more, says so", async () => {
    const program = PROGRAMS[kind];
    const without: RunProgram = async (argv, options) =>
      argv[0] === program ? tryProgram(["no-such-program"], options) : tryProgram(argv, options);
    expect(await refusal(take({}, without))).toBe(`snapshot_refused: ${program} is not installed on this server`);
    const failing: RunProgram = async (argv, options) =>
      argv[0] === program ? tryProgram(["ls", "/nowhere"], options) : tryProgram(argv, options);
    expect([await refusal(take({}, failing)), here()]).toEqual([
      expect.stringMatching(/^snapshot_failed: .*nowhere/),
      [],
    ]);
    const unmounted: RunProgram = async (argv, options) =>
      argv[0] === "mount" ? tryProgram(["ls", "/nowhere"], options) : tryProgram(argv, options);
    if (kind !== "btrfs") expect(await refusal(take({}, unmounted))).toStartWith("snapshot_failed: ");
    expect([here(), await mountedDisk.snapshots()]).toEqual([[], []]);
    for (let count = 0; count < 16; count += 1) mkdirSync(join(snapshots(), `other-${count}`), { recursive: true });
    expect(await refusal(take())).toContain("there are 16 in");
    rmSync(snapshots(), { recursive: true });
  });

  test("nothing but a snapshot of that form is deleted, and none behind a link", async () => {
    const input = (name: string) => ask("snapshot.drop", { name });
    for (const name of [
      "",
      "..",
      `${owner}-snp_`,
      `${owner}-snp_../../volumes`,
      `${owner}-snp_a/b`,
      "volumes",
      `x${owner}-snp_1`,
    ])
      expect(await refusal(input(name))).toStartWith("host_request_refused");
    expect(record).toEqual([]);
    // A folder of that name is no snapshot: where it is only the record of one, it goes, and else it stays.
    const name = `${owner}-snp_1`;
    mkdirSync(join(snapshots(), name), { recursive: true });
    if (kind === "btrfs") expect(await refusal(input(name))).toStartWith("snapshot_failed");
    else expect(await input(name)).toEqual({ dropped: true });
    expect(here()).toEqual(kind === "btrfs" ? [name] : []);
    rmSync(snapshots(), { recursive: true, force: true });
    mkdirSync(join(folder, "elsewhere", name), { recursive: true });
    symlinkSync(join(folder, "elsewhere"), snapshots());
    expect(await refusal(input(name))).toContain("is not a folder that this server's own user alone writes to");
    expect(await refusal(take())).toContain("is not a folder that this server's own user alone writes to");
    expect(readdirSync(join(folder, "elsewhere"))).toEqual([name]);
    rmSync(snapshots());
  });
};

for (const kind of diskKinds()) suite(`snapshots of Docker's volumes on ${kind}`, ["btrfs"], () => snapshotsOf(kind));
