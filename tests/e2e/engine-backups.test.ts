import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { createRestoreCommand } from "../../src/node/backups/backups/index.ts";
import { startAppsNode } from "../kit/apps.ts";
import { type EngineNode, startEngineNode, wipe } from "../kit/engine-node.ts";
import { suite } from "../kit/env.ts";
import { type OwnEngine, startOwnEngine } from "../kit/own-engine.ts";
import { makeScratch } from "../kit/scratch.ts";
import { until } from "../kit/until.ts";

suite("backups of apps", ["docker", "registry", "images"], () => {
  let engine: OwnEngine;
  let node: EngineNode;
  let id: string;
  let container: string;
  let target: string;
  const shell = (script: string) => engine.docker("exec", "-u", "0", container, "sh", "-c", script);
  /** Everything there is to know of the data, in words. */
  const describe = () =>
    shell(
      "cd /data && find . -exec stat -c '%n %F %a %u:%g %Y %N' {} + | sort; find . -type f -exec md5sum {} + | sort",
    );
  const untilOver = (opId: string) =>
    until(
      async () => {
        const { status, error } = (await node.call(`GET /api/operations/${opId}`)).body;
        if (status === "failed") return `failed: ${error.message}`;
        return status === "running" ? null : status;
      },
      { timeoutMs: 90_000 },
    );

  beforeAll(async () => {
    engine = await startOwnEngine(192);
    node = await startEngineNode({ socket: engine.socket });
    ({ id } = await node.install("test-web"));
    await node.untilStatus(id, "running", 60_000);
    const { services, name } = (await node.call(`GET /api/apps/${id}`)).body;
    container = `orrery-${name}-${services[0].name}`;
    const path = makeScratch("backups");
    target = (await node.call("POST /api/backup/targets", { type: "local", name: "disk", path })).body.id;
  }, 120_000);
  afterAll(async () => {
    if (id) await node.remove(id).catch(() => "the engine goes with it");
    await node?.stop();
    if (node) wipe(node.dataDir);
    await engine?.dispose();
  }, 120_000);

  test("an app comes back as it was, with owners, modes, times and links, and runs again", async () => {
    await shell(
      `cd /data && mkdir -p top/deep && printf 'hello' >top/note.txt && head -c 3000000 /dev/urandom >top/big.bin &&
       touch -d '2001-02-03 04:05:06' top/note.txt && ln -s /etc/passwd top/outside && ln top/note.txt top/twin &&
       : >top/empty && printf odd >"top/it's odd ü" && chmod 4750 top/big.bin && chown 1234:4321 top top/note.txt`,
    );
    const before = await describe();
    const backup = (await node.call("POST /api/backups", { target, apps: [id], include_config: true })).body;
    expect(await untilOver(backup.op_id)).toBe("done");
    await node.untilStatus(id, "running", 60_000);
    expect(await describe()).toBe(before);

    // One folder alone comes back, beside what is there or over it, and nothing else changes.
    const looked = (await node.call(`POST /api/backups/${backup.id}/browse`)).body;
    expect(await untilOver(looked.op_id)).toBe("done");
    const [{ volume }] = (await node.call(`GET /api/backups/${backup.id}/volumes`)).body;
    await shell("cd /data/top && printf other >note.txt && printf mine >since && rm empty");
    const putBack = async (path: string, mode: string, dry_run = false) =>
      (await node.call(`POST /api/backups/${backup.id}/put-back`, { app: id, volume, path, mode, dry_run })).body;
    const { op_id, changes } = await putBack("top", "over", true);
    expect(op_id).toBe(null);
    const told = changes.changes.map(({ path, change }: { path: string; change: string }) => `${change} ${path}`);
    expect(told).toContain("added top/empty");
    expect(told).toContain("changed top/note.txt");
    expect(told.join()).not.toContain("big.bin");
    const beside = await putBack("top/note.txt", "beside");
    expect(await untilOver(beside.op_id)).toBe("done");
    expect(await shell(`cd /data && cat '${beside.path}' top/note.txt && rm '${beside.path}'`)).toContain("helloother");
    expect(await untilOver((await putBack("top", "over")).op_id)).toBe("done");
    await node.untilStatus(id, "running", 60_000);
    expect(await shell("cd /data && cat top/since && rm top/since")).toContain("mine");
    const data = (words: string) => words.split("\n").filter((line) => !/^\.(\/top)? /.test(line));
    expect(data(await describe())).toEqual(data(before));

    await shell("cd /data && rm -rf top && echo new >other");
    const changed = await describe();
    const restore = (await node.call(`POST /api/backups/${backup.id}/restore`)).body;
    expect(restore.apps).toEqual([id]);
    expect(await untilOver(restore.op_id)).toBe("done");
    await node.untilStatus(id, "running", 60_000);
    expect(await describe()).toBe(before);

    // What was there before the restore is a backup, too.
    const [safety] = (await node.call("GET /api/backups")).body;
    const back = (await node.call(`POST /api/backups/${safety.id}/restore`)).body;
    expect(await untilOver(back.op_id)).toBe("done");
    await node.untilStatus(id, "running", 60_000);
    expect((await describe()).split("\n").map((line) => line.split(" ")[0])).toEqual(
      changed.split("\n").map((line) => line.split(" ")[0]),
    );
  }, 240_000);

  test("an app that is paused for its copy is not started anew, counts as running, and goes on also after the node ended", async () => {
    const inspect = async (format: string) => (await engine.docker("inspect", "-f", format, container)).trim();
    const policy = (await node.call("GET /api/backup/policies")).body.find(({ app }: { app: string }) => app === id);
    expect(policy).toMatchObject({ mode: null, usual: "stop", dumps: [] });
    const chosen = await node.call(`PUT /api/backup/policies/${id}`, { mode: "pause" });
    expect(chosen.body).toMatchObject({ mode: "pause" });
    await shell("cd /data && head -c 40000000 /dev/urandom >big.bin");
    const startedAt = await inspect("{{.State.StartedAt}}");
    const paused = async () => (await inspect("{{.State.Status}}")) === "paused" || null;
    const begun = (await node.call("POST /api/backups", { target, apps: [id], include_config: false })).body;
    await until(paused, { timeoutMs: 30_000, what: "the app to be paused" });
    expect((await node.call(`GET /api/apps/${id}`)).body.status).toBe("running");
    expect(await untilOver(begun.op_id)).toBe("done");
    expect([await inspect("{{.State.Status}}"), await inspect("{{.State.StartedAt}}")]).toEqual(["running", startedAt]);

    // What a program that was killed in the middle leaves: the app is paused, and on disk stands that it has to go on.
    await shell("cd /data && head -c 40000000 /dev/urandom >big.bin");
    await node.call("POST /api/backups", { target, apps: [id], include_config: false });
    await until(paused, { timeoutMs: 30_000, what: "the app to be paused again" });
    const { dataDir } = node;
    await node.stop();
    expect(await paused()).toBe(true);
    node = await startEngineNode({ dataDir, socket: engine.socket });
    await node.ctx.jobs.run("backups.go_on");
    await until(async () => (await inspect("{{.State.Status}}")) === "running", { timeoutMs: 30_000 });
    expect(await inspect("{{.State.StartedAt}}")).toBe(startedAt);
    const [cut] = (await node.call("GET /api/backups")).body;
    expect(cut.status).toBe("failed");
  }, 120_000);

  test("kill -9 while an app is paused or stopped for its copy: it goes on as soon as the node is back", async () => {
    const apps = await startAppsNode({ ORRERY_DOCKER_SOCKET: engine.socket });
    try {
      const name = apps.freshName("kept");
      const { id: app } = await apps.installed("test-web", name);
      await apps.reaches(app, "running");
      const path = makeScratch("backups");
      const disk = await apps.owner.ok("POST /api/backup/targets", { type: "local", name: "disk", path });
      const web = `orrery-${name}-web`;
      await engine.docker("exec", "-u", "0", web, "sh", "-c", "head -c 30000000 /dev/urandom >/data/big.bin");
      const state = async () => (await engine.docker("inspect", "-f", "{{.State.Status}}", web)).trim();
      for (const [mode, still] of [
        ["pause", "paused"],
        ["stop", "exited"],
      ] as const) {
        await apps.owner.ok(`PUT /api/backup/policies/${app}`, { mode });
        await apps.owner.ok("POST /api/backups", { target: disk.id, apps: [app], include_config: false });
        await until(async () => (await state()) === still, { timeoutMs: 30_000, what: `the app to be ${still}` });
        await apps.crash();
        await until(async () => (await state()) === "running", { timeoutMs: 30_000, what: "the app to go on" });
        await apps.reaches(app, "running");
        const [cut] = await apps.owner.ok("GET /api/backups");
        expect(cut.status).toBe("failed");
      }
    } finally {
      await apps.dispose();
    }
  }, 180_000);
  test("a lost node comes back on a new disk with its kit alone, and its apps with their data", async () => {
    await shell("cd /data && mkdir -p kept && printf 'worth much' >kept/letter && chown 1234 kept/letter");
    const before = await describe();
    const path = makeScratch("disaster");
    const away = (await node.call("POST /api/backup/targets", { type: "local", name: "away", path })).body.id;
    const { recovery_key } = (await node.call(`GET /api/backup/targets/${away}/kit`)).body;
    const { op_id } = (await node.call("POST /api/backups", { target: away, apps: [id], include_config: true })).body;
    expect(await untilOver(op_id)).toBe("done");
    await node.untilStatus(id, "running", 60_000);

    // The disaster: containers, volumes and the data folder are gone.
    await node.remove(id);
    await node.stop();
    wipe(node.dataDir);
    const moved = join(makeScratch("moved"), "disk");
    renameSync(path, moved);

    const folder = join(makeScratch("new"), "data");
    const command = (options: Record<string, string>, typed = recovery_key) =>
      createRestoreCommand({
        option: {},
        folderOf: () => folder,
        version: options["version"] ?? "1.2.3",
        readLine: async () => typed,
      }).run({ text: (name) => options[name], flag: () => false }, () => {});
    await expect(command({ TARGET: moved }, "wrong words")).rejects.toThrow("neither the passphrase");
    await expect(command({ TARGET: moved, version: "1.2.2" })).rejects.toThrow("Install 1.2.3 or newer");
    await expect(command({ TARGET: makeScratch("nothing") })).rejects.toThrow("no Orrery repository");
    await expect(command({ TARGET: moved, backup: "bak_none" })).rejects.toThrow("no backup bak_none");
    expect(existsSync(folder)).toBe(false);
    expect(await command({ TARGET: moved })).toBe(0);
    await expect(command({ TARGET: moved })).rejects.toThrow("is not empty");

    node = await startEngineNode({ socket: engine.socket, dataDir: folder });
    expect((await node.call("GET /api/auth/me")).status).toBe(200);
    await until(
      async () => {
        await node.ctx.jobs.run("backups.go_on");
        const halts = node.ctx.db.raw.query("SELECT 1 FROM backup_halts UNION SELECT 1 FROM backup_restores").all();
        return halts.length === 0 || null;
      },
      { timeoutMs: 90_000 },
    );
    await node.untilStatus(id, "running", 60_000);
    expect(await describe()).toBe(before);
    const [backup] = (await node.call("GET /api/backups")).body;
    expect([backup.status, backup.made_by]).toEqual(["completed", null]);
    expect((await node.call(`POST /api/backup/targets/${away}/test`)).body.ok).toBe(true);
  }, 240_000);
});
