import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addTarget, backUp, get, post, untilOver } from "../../../../tests/kit/backup-calls.ts";
import { createTestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { hasSftpServer, startSftpServer } from "../../../../tests/kit/sftp-server.ts";
import { until } from "../../../../tests/kit/until.ts";

const PLAN = {
  name: "Every day",
  enabled: true,
  cron: "30 3 * * *",
  jitter_minutes: 0,
  apps: null,
  include_config: true,
  keep: null,
};

test("the settings are backed up, read back, and seen on the overview; a damaged copy is said to be damaged", async () => {
  const node = createTestNode();
  expect((await get(node, "/api/system/overview")).backup.status).toBe("none");
  const { id: target, path } = await addTarget(node);
  const backup = await backUp(node, target);
  expect([backup.status, backup.cause, backup.verified_at]).toEqual(["completed", null, null]);
  expect(backup.size_bytes).toBeGreaterThan(10_000);
  expect(backup.added_bytes).toBeGreaterThan(1000);
  const verified = await post(node, `/api/backups/${backup.id}/verify`);
  expect(await untilOver(node, verified.body.op_id)).toBe("done");
  await node.clock.advance(6000);
  const { status, last_verified_at, last_size_bytes } = (await get(node, "/api/system/overview")).backup;
  expect([status, last_verified_at !== null, last_size_bytes]).toEqual(["ok", true, backup.size_bytes]);
  await node.clock.advance(49 * 3_600_000);
  expect((await get(node, "/api/system/overview")).backup.status).toBe("stale");
  for (const _ of "often") await node.ctx.jobs.run("backups.tell_stale");
  const stale = node.events.filter(({ name }) => name === "backup.stale");
  expect(stale.map(({ data }) => data)).toEqual([{ last_success_at: backup.finished_at }]);

  for (const name of readdirSync(join(path, "packs"), { recursive: true, encoding: "utf8" }))
    if (name.length > 60) writeFileSync(join(path, "packs", name), "gone");
  const again = await post(node, `/api/backups/${backup.id}/verify`);
  expect(await untilOver(node, again.body.op_id)).toBe("failed");
  const [damaged] = await get(node, "/api/backups");
  expect(damaged.verified_at).toBeNull();
  expect(damaged.damage).toBe("It cannot be read any more: all of main.db.");
  const told = node.events.map(({ name }) => name).filter((name) => name.startsWith("backup."));
  expect(told).toEqual(["backup.started", "backup.completed", "backup.verified", "backup.stale", "backup.verified"]);
  node.close();
});

test("a limit of bandwidth is kept with a target, can be changed and taken away, and holds a backup up", async () => {
  const node = createTestNode();
  const { id } = await addTarget(node, makeScratch("target"), { max_mb_per_second: 20 });
  const limit = async () => (await get(node, "/api/backup/targets"))[0].max_mb_per_second;
  expect(await limit()).toBe(20);
  const change = (max_mb_per_second: number | null) =>
    node.call(`PUT /api/backup/targets/${id}/limit`, { as: "admin", body: { max_mb_per_second } });
  expect((await change(0)).status).toBe(400);
  expect((await change(1)).body.max_mb_per_second).toBe(1);
  node.ctx.db.raw.run("CREATE TABLE bulk AS SELECT randomblob(1000000) AS bytes");
  const began = performance.now();
  expect((await backUp(node, id)).status).toBe("completed");
  // A quarter of a second's bytes go at once.
  expect(performance.now() - began).toBeGreaterThan(750);
  expect((await change(null)).body.max_mb_per_second).toBeNull();
  expect(await limit()).toBeNull();
  expect(node.events.filter(({ name }) => name === "backup_target.limited")).toHaveLength(2);
  node.close();
});

test("the kit opens what another server wrote; the database that comes out is whole", async () => {
  const node = createTestNode();
  const { id, path } = await addTarget(node);
  const { id: backup } = await backUp(node, id);
  const { recovery_key } = await get(node, `/api/backup/targets/${id}/kit`);
  expect(recovery_key).toMatch(/^([A-Z2-9]{4}-){7}[A-Z2-9]{4}$/);
  const out = join(makeScratch("out"), "all");
  const script = join(import.meta.dir, "../../../../docs/restore.py");
  const hasCryptography = Bun.spawnSync(["python3", "-c", "import cryptography"]).success && Bun.which("zstd") !== null;
  if (hasCryptography) {
    const { exitCode } = Bun.spawnSync(["python3", script, path, backup, out], {
      env: { PATH: process.env["PATH"] ?? "", ORRERY_BACKUP_KEY: recovery_key },
    });
    expect(exitCode).toBe(0);
    const copy = new Database(join(out, "node/main.db"), { readonly: true });
    expect(copy.query("SELECT count(*) AS n FROM backup_targets").get()).toEqual({ n: 1 });
    copy.close();
  }
  const other = createTestNode();
  const ask = (more: object) => post(other, "/api/backup/targets", { type: "local", name: "old", path, ...more });
  expect((await ask({})).body.code).toBe("backup_target_locked");
  expect((await ask({ recovery_key: "wrong" })).body.code).toBe("backup_key_wrong");
  expect((await ask({ recovery_key })).status).toBe(200);
  node.close();
  other.close();
});

test("folders that cannot hold backups are refused with the reason; other types too", async () => {
  const node = createTestNode();
  const ask = async (body: object) => (await post(node, "/api/backup/targets", { name: "x", ...body })).body.code;
  for (const path of ["relative", "/", "/etc", "/dev", "/proc/self", "/no/such/folder", node.dataDir, undefined])
    expect(await ask({ type: "local", path })).toBe("backup_target_path");
  expect(await ask({ type: "node" })).toBe("invalid_request");
  const own = { name: "x", type: "webdav", url: "http://0.0.0.0:1/", username: "u", password: "p" };
  expect((await post(node, "/api/backup/targets", own)).body.message).toEndWith("which is not called.");
  const { id, path } = await addTarget(node);
  expect(await ask({ type: "local", path })).toBe("backup_target_taken");
  expect((await post(node, `/api/backup/targets/${id}/test`)).body.ok).toBe(true);
  rmSync(path, { recursive: true });
  const { ok, code, next_step } = (await post(node, `/api/backup/targets/${id}/test`)).body;
  expect([ok, code, next_step]).toEqual([
    false,
    "backup_target_empty",
    expect.stringContaining("right disk is mounted"),
  ]);
  const backup = await backUp(node, id);
  expect([backup.status, backup.cause === null]).toEqual(["failed", false]);
  expect((await get(node, "/api/system/overview")).backup.status).toBe("failed");
  expect(readdirSync(node.dataDir)).not.toContain("backup-scratch");
  node.close();
});

test("what cannot be done is refused with a code of its own", async () => {
  const node = createTestNode();
  const { id: target } = await addTarget(node);
  const ask = async (body: object) =>
    (await post(node, "/api/backups", { apps: [], include_config: true, ...body })).body;
  expect((await ask({ target: "none" })).code).toBe("backup_target_not_found");
  expect((await ask({ target, include_config: false })).code).toBe("backup_empty");
  expect((await ask({ target, apps: ["app_none"] })).code).toBe("backup_app_unknown");
  const first = await ask({ target });
  expect((await ask({ target })).code).toBe("backup_busy");
  expect((await node.call(`DELETE /api/backup/targets/${target}`, { as: "admin" })).body.code).toBe("backup_busy");
  expect((await post(node, `/api/backups/${first.id}/restore`)).body.code).toBe("backup_not_completed");
  await untilOver(node, first.op_id);
  expect((await post(node, `/api/backups/${first.id}/restore`)).body.code).toBe("backup_empty");
  const more = await post(node, `/api/backups/${first.id}/restore`, { apps: ["app_none"] });
  expect(more.body.code).toBe("backup_app_not_in");
  // All of it is asked for, and none of that is here any more.
  node.ctx.db.raw.run("UPDATE backups SET apps = '[\"app_gone\"]'");
  expect((await post(node, `/api/backups/${first.id}/restore`)).body.code).toBe("backup_app_not_in");
  expect((await post(node, "/api/backups/bak_none/verify")).body.code).toBe("backup_not_found");
  expect((await node.call("GET /api/backups", { as: "member" })).status).toBe(403);
  node.close();
});

test("the schedule begins what is due, once, also when the node was off; the first backup is tried by itself", async () => {
  const node = createTestNode();
  const { id: target } = await addTarget(node);
  expect(await get(node, "/api/backup/schedule")).toEqual({ plans: [], next_run_at: null });
  expect((await post(node, "/api/backup/plans", { ...PLAN, target: "none" })).body.code).toBe(
    "backup_target_not_found",
  );
  const { next_run_at } = (await post(node, "/api/backup/plans", { ...PLAN, target })).body;
  const due = Date.parse(next_run_at);
  expect(due).toBeGreaterThan(node.clock.now());
  expect(new Date(due).getMinutes()).toBe(30);
  await node.ctx.jobs.run("backups.begin_due");
  expect(await get(node, "/api/backups")).toEqual([]);
  await node.clock.advance(3 * 86_400_000);
  await node.ctx.jobs.run("backups.begin_due");
  const [backup, ...others] = await get(node, "/api/backups");
  expect(others).toEqual([]);
  expect(await untilOver(node, backup.op_id)).toBe("done");
  await node.ctx.jobs.run("backups.begin_due");
  await until(async () => ((await get(node, "/api/backups"))[0].verified_at === null ? null : true));
  await node.ctx.jobs.run("backups.begin_due");
  expect((await get(node, "/api/backups")).length).toBe(1);
  // A share of what lies there is being read.
  for (const { id } of await get(node, "/api/operations")) await untilOver(node, id);
  node.close();
});

test("a backup that is cancelled ends, says so, and the next one completes", async () => {
  const node = createTestNode();
  const { id: target } = await addTarget(node);
  const begun = (await post(node, "/api/backups", { target, apps: [], include_config: true })).body;
  expect((await post(node, `/api/backups/${begun.id}/cancel`)).status).toBe(200);
  expect(await untilOver(node, begun.op_id)).toBe("failed");
  const [cancelled] = await get(node, "/api/backups");
  const { status, cause, cancelled: isCancelled } = cancelled;
  expect([status, isCancelled, cause]).toEqual([
    "failed",
    true,
    "It was cancelled by admin. What it stored is not stored again.",
  ]);
  // Nothing went wrong, neither now nor for who reckons how backups go.
  expect((await get(node, "/api/system/overview")).backup.status).toBe("none");
  expect(node.ctx.lists.backupRuns.all().flatMap((read) => read(0))).toEqual([]);
  const [told] = (await get(node, "/api/timeline?category=backup")).items;
  expect([told.title, told.severity]).toEqual(["A backup was cancelled by admin", "info"]);
  const names = node.events.map(({ name }) => name);
  expect([names.includes("backup.cancelled"), names.includes("backup.failed")]).toEqual([true, false]);
  expect((await post(node, `/api/backups/${begun.id}/cancel`)).body.code).toBe("backup_not_running");
  expect((await post(node, "/api/backups/bak_none/cancel")).body.code).toBe("backup_not_found");
  expect((await backUp(node, target)).status).toBe("completed");
  node.close();
});

test("a backup that was cut off is said to have failed, and the next one completes", async () => {
  const node = createTestNode();
  const { id: target } = await addTarget(node);
  const { id } = await backUp(node, target);
  node.ctx.db.raw.query("UPDATE backups SET status = 'in_progress', finished_at = NULL WHERE id = ?").run(id);
  mkdirSync(join(node.dataDir, "backup-scratch"));
  const next = createTestNode({}, node);
  for (const part of next.ctx.parts) if (part.feature.name === "backups") await part.start?.();
  expect((await get(next, "/api/backups"))[0].status).toBe("failed");
  expect((await backUp(next, target)).status).toBe("completed");
  next.close();
});

test("a bucket of this server takes backups, says that it is the same machine, and keeps its key to itself", async () => {
  const node = createTestNode({ s3_listen: "127.0.0.1:0" });
  // Signatures carry the time, and the engine's thread knows the real one alone.
  node.clock.jump(Date.now() - node.clock.now());
  node.ctx.objects.start?.();
  await post(node, "/api/objects/buckets", { name: "copies" });
  const grants = [{ bucket: "copies", read: true, write: true, owner: false }];
  const { access_key, secret_key } = (await post(node, "/api/objects/access-keys", { name: "b", grants })).body;
  await node.ctx.objects.settled();
  const endpoint = (await get(node, "/api/objects/endpoint")).url;
  const input = { type: "s3", name: "bucket", endpoint, bucket: "copies", prefix: "/atlas/", access_key, secret_key };
  const add = async (more: object) => (await post(node, "/api/backup/targets", { ...input, ...more })).body;
  for (const [field, value] of [
    ["endpoint", "ftp://x"],
    ["endpoint", "http://169.254.169.254"],
    ["bucket", "No Bucket"],
    ["prefix", "../up"],
    ["secret_key", undefined],
  ] as const) {
    const { code, message } = await add({ [field]: value });
    expect([code, message.split(":")[0]]).toEqual(["invalid_request", field]);
  }
  expect(await add({ secret_key: "wrong" })).toMatchObject({ code: "backup_target_unfit" });
  expect(await add({ bucket: "none" })).toMatchObject({ code: "backup_target_unfit" });
  const added = await add({});
  expect(added).toMatchObject({ type: "s3", path: `${endpoint}/copies/atlas/` });
  const shown = JSON.stringify([added, await get(node, "/api/backup/targets")]);
  for (const secret of [access_key, secret_key]) expect(shown).not.toContain(secret);
  expect(JSON.stringify(node.events)).not.toContain(secret_key);
  const { ok, warnings } = (await post(node, `/api/backup/targets/${added.id}/test`)).body;
  expect([ok, warnings.join().includes("this same machine")]).toEqual([true, true]);
  const backup = await backUp(node, added.id);
  expect([backup.status, backup.cause]).toEqual(["completed", null]);
  const { recovery_key } = await get(node, `/api/backup/targets/${added.id}/kit`);

  // Whoever adds it again, such as another server, finds what is there and can read it.
  await node.call(`DELETE /api/backup/targets/${added.id}`, { as: "admin" });
  expect(await get(node, "/api/backups")).toEqual([]);
  expect((await add({})).code).toBe("backup_target_locked");
  const again = await add({ recovery_key });
  const [found] = await get(node, "/api/backups");
  expect(found).toMatchObject({ id: backup.id, target: again.id, status: "completed", include_config: true });
  expect([typeof found.made_by, found.size_bytes]).toEqual(["string", backup.size_bytes]);
  const { op_id } = (await post(node, `/api/backups/${backup.id}/verify`)).body;
  expect(await untilOver(node, op_id)).toBe("done");
  await node.ctx.objects.stop();
  await node.ctx.objectStore.stop();
  node.close();
});

test("with retention, what is too old leaves the list and the target; the newest that was read back stays", async () => {
  const node = createTestNode();
  const { id: target, path } = await addTarget(node);
  const first = await backUp(node, target);
  await untilOver(node, (await post(node, `/api/backups/${first.id}/verify`)).body.op_id);
  const keep = { last: 1, hourly: 0, daily: 0, weekly: 0, monthly: 0 };
  const plan = { ...PLAN, target };
  const { id: planId } = (await post(node, "/api/backup/plans", plan)).body;
  const put = (body: object) => node.call(`PUT /api/backup/plans/${planId}`, { as: "admin", body });
  expect((await put({ ...plan, keep: { ...keep, last: 0 } })).body.code).toBe("invalid_request");
  expect((await put(plan)).body.keep).toBe(null);
  expect((await put({ ...plan, keep })).body.keep).toEqual(keep);
  const made: string[] = [];
  for (let day = 0; day < 3; day++) {
    node.clock.jump(86_400_000);
    await node.ctx.jobs.run("backups.begin_due");
    const [newest] = await get(node, "/api/backups");
    made.push(newest.id);
    expect(await untilOver(node, newest.op_id)).toBe("done");
  }
  const listed = (await get(node, "/api/backups")).map(({ id }: { id: string }) => id);
  expect(listed).toEqual([made.at(-1), first.id]);
  expect(readdirSync(join(path, "snapshots")).sort()).toEqual(listed.toSorted());
  expect((await post(node, `/api/backups/${made[0]}/verify`)).body.code).toBe("backup_not_found");
  for (const id of listed)
    expect(await untilOver(node, (await post(node, `/api/backups/${id}/verify`)).body.op_id)).toBe("done");
  node.close();
});

test.skipIf(!hasSftpServer())(
  "an SFTP server takes backups once its key was confirmed; its password is not shown",
  async () => {
    const server = await startSftpServer();
    const node = createTestNode();
    const place = { type: "sftp", name: "far", host: "127.0.0.1", port: server.port, path: makeScratch("sftp") };
    const login = { username: "ada", password: "moon" };
    const add = async (more: object) => (await post(node, "/api/backup/targets", { ...place, ...login, ...more })).body;
    for (const [field, value] of [
      ["host", "no host!"],
      ["host", "169.254.169.254"],
      ["path", "/up/../there"],
      ["password", undefined],
      ["host_key", "MD5:aa"],
    ] as const) {
      const { code, message } = await add({ [field]: value });
      expect([code, message.split(":")[0]]).toEqual(["invalid_request", field]);
    }
    const { code, params } = await add({});
    expect([code, params.host]).toEqual(["backup_target_host_key", "127.0.0.1"]);
    const host_key = params.fingerprint;
    expect(await add({ host_key, password: "sun" })).toMatchObject({ code: "backup_target_unfit" });
    const added = await add({ host_key });
    expect(added).toMatchObject({ type: "sftp", path: `sftp://ada@127.0.0.1:${server.port}${place.path}/` });
    expect(JSON.stringify([added, node.events])).not.toContain("moon");
    const { ok, warnings } = (await post(node, `/api/backup/targets/${added.id}/test`)).body;
    expect([ok, warnings.length]).toEqual([true, 1]);
    const backup = await backUp(node, added.id);
    expect([backup.status, backup.cause]).toEqual(["completed", null]);
    const { op_id } = (await post(node, `/api/backups/${backup.id}/verify`)).body;
    expect(await untilOver(node, op_id)).toBe("done");
    await server.stop();
    expect((await post(node, `/api/backup/targets/${added.id}/test`)).body.ok).toBe(false);
    node.close();
  },
);

test("what a place or a backup is not good for has a code of its own, with what to do", async () => {
  const node = createTestNode();
  const ask = async (path: string) =>
    (await post(node, "/api/backup/targets", { type: "local", name: `n${path.length}`, path, recovery_key: "x" })).body
      .code;
  const place = (config: object): string => {
    const path = makeScratch("place");
    writeFileSync(join(path, "config.json"), JSON.stringify(config));
    return path;
  };
  expect(await ask(place({ some: "thing" }))).toBe("backup_target_foreign");
  const newer = { format: "orrery-backup", version: 99, id: "0".repeat(32), keys: [] };
  expect(await ask(place(newer))).toBe("backup_target_newer");
  const away = { type: "webdav", name: "away", url: "http://127.0.0.1:9/dav", username: "u", password: "p" };
  const { id, path } = await addTarget(node);
  const backup = await backUp(node, id);
  const errorOf = async (opId: string) => {
    await untilOver(node, opId);
    return node.ctx.operations.get(opId).error;
  };
  for (const name of readdirSync(join(path, "packs"), { recursive: true, encoding: "utf8" }))
    if (name.length > 60) writeFileSync(join(path, "packs", name), "gone");
  const drill = await post(node, `/api/backups/${backup.id}/verify`);
  expect(await errorOf(drill.body.op_id)).toMatchObject({
    code: "backup_damaged",
    next_step: expect.stringContaining("another backup"),
  });
  // Another disk at the same place: nothing is written to it, and no word is lost of the backups that are on the other.
  const own = `${path}.own`;
  renameSync(path, own);
  const foreign = await addTarget(node, makeScratch("foreign"), { name: "other" });
  cpSync(foreign.path, path, { recursive: true });
  const listed = readdirSync(path, { recursive: true }).toSorted();
  const swapped = await post(node, "/api/backups", { target: id, apps: [], include_config: true });
  expect(await errorOf(swapped.body.op_id)).toMatchObject({
    code: "backup_target_other",
    message: expect.stringContaining("See that the right disk or bucket is there"),
  });
  expect(readdirSync(path, { recursive: true }).toSorted()).toEqual(listed);
  expect((await post(node, `/api/backup/targets/${id}/test`)).body).toMatchObject({ ok: false });
  rmSync(path, { recursive: true });
  renameSync(own, path);
  rmSync(path, { recursive: true });
  const lost = await post(node, "/api/backups", { target: id, apps: [], include_config: true });
  expect((await errorOf(lost.body.op_id))?.code).toMatch(/^backup_target_/);
  // A disk that is not mounted says nothing about what lies on it.
  const fresh = await backUp(node, foreign.id);
  rmSync(foreign.path, { recursive: true });
  mkdirSync(foreign.path);
  const unmounted = await post(node, `/api/backups/${fresh.id}/verify`);
  expect((await errorOf(unmounted.body.op_id))?.code).toBe("backup_target_empty");
  const found = (await get(node, "/api/backups")).find((one: { id: string }) => one.id === fresh.id);
  expect([found.status, found.damage]).toEqual(["completed", null]);
  expect((await post(node, "/api/backup/targets", away)).body.code).toBe("backup_target_away");
  node.close();
}, 180_000);
