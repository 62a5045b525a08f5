import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AppsNode, startAppsNode } from "../kit/apps.ts";
import { suite } from "../kit/env.ts";
import { type OwnEngine, startOwnEngine } from "../kit/own-engine.ts";
import { makeScratch } from "../kit/scratch.ts";
import { type DiskKind, diskKinds } from "../kit/snapshot-disks.ts";
import { until } from "../kit/until.ts";

const backUpBySnapshots = (kind: DiskKind) => {
  let engine: OwnEngine;
  let apps: AppsNode;
  let id: string;
  let container: string;
  let target: string;
  const path = makeScratch("backups");
  const shell = (script: string) => engine.docker("exec", "-u", "0", container, "sh", "-c", script);
  const choose = (mode: string | null) => apps.owner.ok(`PUT /api/backup/policies/${id}`, { mode });
  const begin = () => apps.owner.ok("POST /api/backups", { target, apps: [id], include_config: false });
  const snapshots = () => join(engine.root, "orrery-snapshots");
  // biome-ignore lint/suspicious/noExplicitAny: a wrong guess fails the test
  const find = async (backup: string): Promise<any> =>
    (await apps.owner.ok("GET /api/backups")).find((one: { id: string }) => one.id === backup);
  async function backUp(mode: string) {
    await choose(mode);
    const { id: backup, op_id } = await begin();
    await apps.follow(op_id);
    const made = await find(backup);
    expect([made.status, made.cause]).toEqual(["completed", null]);
    await apps.reaches(id, "running");
    return made;
  }
  async function open(backup: string): Promise<string> {
    const { op_id } = await apps.owner.ok(`POST /api/backups/${backup}/browse`);
    if (op_id !== null) await apps.follow(op_id);
    return (await apps.owner.ok(`GET /api/backups/${backup}/volumes`))[0].volume;
  }
  /** A file of a backup, as a number. */
  async function count(backup: string, file: string): Promise<number> {
    const volume = await open(backup);
    return Number(await apps.owner.ok(`GET /api/backups/${backup}/download?app=${id}&volume=${volume}&path=${file}`));
  }

  /** A subvolume in a volume is not in a snapshot. */
  async function leavesSubvolumesOut(): Promise<void> {
    const place = await engine.docker("inspect", "-f", "{{range .Mounts}}{{.Source}}{{end}}", container);
    const inner = join(place, "inner");
    Bun.spawnSync(["btrfs", "subvolume", "create", inner]);
    await shell("printf 5 >/data/inner/five");
    const made = await backUp("snapshot");
    expect(made.notes).toEqual([expect.stringContaining("could not be read from a snapshot: it has what cannot be")]);
    expect(await count(made.id, "inner/five")).toBe(5);
    Bun.spawnSync(["btrfs", "subvolume", "delete", inner]);
  }

  beforeAll(async () => {
    engine = await startOwnEngine(400, { disk: kind });
    apps = await startAppsNode({ ORRERY_DOCKER_SOCKET: engine.socket });
    const name = apps.freshName("shot");
    ({ id } = await apps.installed("test-web", name));
    container = `orrery-${name}-web`;
    await apps.reaches(id, "running");
    const place = { type: "local", name: "disk", path };
    target = (await apps.owner.ok("POST /api/backup/targets", place)).id;
  });
  afterAll(async () => {
    await apps?.dispose();
    await engine?.dispose();
    rmSync(path, { recursive: true });
  });

  test("two files that are written in turn all the time are of one moment in it, and the app never stands still", async () => {
    const [policy] = await apps.owner.ok("GET /api/backup/policies");
    expect(policy).toMatchObject({ app: id, mode: null, no_snapshot: null });
    // The archive has the first at its beginning, the last at its end, and much to read in between.
    const write = (name: string) => `printf '%09d' $n | dd of=/data/${name} conv=notrunc,fsync 2>/dev/null`;
    await shell("head -c 30000000 /dev/urandom >/data/between");
    const loop = `n=0; while [ ! -e /data/enough ]; do n=$((n+1)); ${write("a-first")}; ${write("z-last")}; done; touch /data/over`;
    await engine.docker("exec", "-d", "-u", "0", container, "sh", "-c", loop);
    const written = async () => Number(await shell("cat /data/z-last"));
    await until(async () => (await written()) > 5, { what: "the writer" });
    const since = await written();
    const from = Math.floor(Date.now() / 1000);

    const shot = await backUp("snapshot");
    expect(shot.notes).toEqual([]);
    const ends = engine.docker("events", "--since", `${from}`, "--until", `${Math.ceil(Date.now() / 1000)}`);
    expect(await ends).not.toMatch(/container (pause|kill|stop|die)/);
    const [first, last] = [await count(shot.id, "a-first"), await count(shot.id, "z-last")];
    expect(last).toBeGreaterThanOrEqual(since);
    expect([0, 1]).toContain(first - last);
    await shell("touch /data/enough");
    await until(() => shell("test -e /data/over").then(() => true), { what: "the writer's end" });
    expect([await engine.snapshots(), existsSync(snapshots())]).toEqual([[], false]);
  });

  test("it has what a backup of the stopped app has, byte by byte", async () => {
    await shell("cd /data && mkdir -p deep && ln -s /etc deep/out && ln between deep/twin && chown 7:8 deep");
    const shot = await backUp("snapshot");
    const stopped = await backUp("stop");
    expect([stopped.size_bytes, stopped.notes]).toEqual([shot.size_bytes, []]);
    const volume = await open(shot.id);
    await open(stopped.id);
    const { changes } = await apps.owner.ok(
      `GET /api/backups/${stopped.id}/changes?app=${id}&volume=${volume}&against=${shot.id}`,
    );
    expect(changes).toEqual([]);
    // All chunks of the one are those of the other: what comes on top is the list of the backup itself.
    expect(stopped.added_bytes).toBeLessThan(10_000);
  });

  test("what is not in a snapshot is copied as is usual for the app, which is said", async () => {
    if (kind === "btrfs") await leavesSubvolumesOut();

    // Where none can be taken at all, that holds for the whole app.
    writeFileSync(snapshots(), "");
    const { notes } = await backUp("snapshot");
    expect(notes).toEqual([expect.stringContaining("No snapshot of Docker's volumes can be taken")]);
    rmSync(snapshots());
  });

  test("kill -9 while a snapshot is read: it is gone as soon as the node is back, and the app never noticed", async () => {
    const startedAt = () => engine.docker("inspect", "-f", "{{.State.StartedAt}} {{.State.Status}}", container);
    const before = await startedAt();
    await shell("head -c 60000000 /dev/urandom >/data/between");
    await choose("snapshot");
    const { id: backup } = await begin();
    await until(() => existsSync(snapshots()) && readdirSync(snapshots()).length === 1, { everyMs: 2 });
    await apps.node.kill();
    expect(await engine.snapshots()).toHaveLength(1);
    await apps.comeBack();
    await until(async () => (await engine.snapshots()).length === 0, { what: "the snapshot to go" });
    expect((await find(backup)).status).toBe("failed");
    expect(await startedAt()).toBe(before);
  });
};

for (const kind of diskKinds())
  suite(`backups of apps by snapshots of ${kind}`, ["docker", "registry", "images", "btrfs"], () =>
    backUpBySnapshots(kind),
  );
