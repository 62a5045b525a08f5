/** A target that falls silent while it is opened, or later, holds nothing up. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { addTarget, backUp, get, post, untilOver } from "../../../../tests/kit/backup-calls.ts";
import { createTestNode, type TestNode } from "../../../../tests/kit/node-app.ts";
import { type OddS3Server, startOddS3Server } from "../../../../tests/kit/odd-s3-server.ts";

/** Asked for when a repository is opened. */
const OPENING = /^packs\//;
/** Asked for when it is open. */
const OPEN = /^snapshots\//;
const HOURS_MS = 3_600_000;

let node: TestNode;
let server: OddS3Server;
let odd: string;
let disk: string;
/** A backup at the odd target. */
let id: string;

beforeEach(async () => {
  node = createTestNode();
  server = startOddS3Server();
  disk = (await addTarget(node)).id;
  odd = (await post(node, "/api/backup/targets", { ...server.input, name: "odd" })).body.id;
  id = (await backUp(node, odd)).id;
});
afterEach(async () => {
  await node.ctx.objectStore.stop();
  node.close();
  await server.stop();
});

const codeOf = (opId: string) => node.ctx.operations.get(opId).error?.code ?? null;
const remove = async (target: string) =>
  (await node.call(`DELETE /api/backup/targets/${target}`, { as: "admin" })).status;
const running = async (kind: string): Promise<string> =>
  (await get(node, "/api/operations")).find((op: { kind: string; status: string }) => op.kind === kind)?.id;

/** Begins what the server does of its own accord at night, once everything was read back; the kind says what. */
async function beginByNight(): Promise<void> {
  const day = new Date(node.clock.now());
  const next = new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1, 2).getTime();
  node.clock.jump(next - node.clock.now());
  await node.ctx.jobs.run("backups.begin_due");
}

async function beginShare(): Promise<string> {
  const plan = { name: "rarely", cron: "0 0 1 1 *", jitter_minutes: 0, enabled: true, keep: null };
  const made = await post(node, "/api/backup/plans", { ...plan, target: odd, apps: null, include_config: true });
  expect([made.status, made.body.code]).toEqual([200, undefined]);
  expect(await untilOver(node, (await post(node, `/api/backups/${id}/verify`)).body.op_id)).toBe("done");
  server.fallSilent(OPENING);
  await beginByNight();
  await server.untilSilent();
  return await running("backup.check");
}

test.each([
  ["is being opened", OPENING],
  ["was opened", OPEN],
])("reading back is cancelled at once while its target %s, and what comes next begins", async (_, about) => {
  server.fallSilent(about);
  const { op_id } = (await post(node, `/api/backups/${id}/verify`)).body;
  await server.untilSilent();
  expect((await post(node, `/api/backups/${id}/cancel`)).status).toBe(200);
  expect([await untilOver(node, op_id), codeOf(op_id)]).toEqual(["failed", "backup_cancelled"]);
  expect((await backUp(node, disk)).status).toBe("completed");
  expect(await remove(odd)).toBe(200);
});

test("a drill by night gives way while its target is being opened", async () => {
  server.fallSilent(OPENING);
  await beginByNight();
  await server.untilSilent();
  const drill = await running("backup.verify");
  expect((await backUp(node, disk)).status).toBe("completed");
  expect(codeOf(drill)).toBe("backup_gave_way");
});

test("a nightly share gives way while its target is being opened", async () => {
  const share = await beginShare();
  expect((await backUp(node, disk)).status).toBe("completed");
  expect(codeOf(share)).toBe("backup_gave_way");
});

test("what nobody ordered gives way to whoever removes its target", async () => {
  const share = await beginShare();
  expect(await remove(odd)).toBe(200);
  expect(codeOf(share)).toBe("backup_gave_way");
  expect((await get(node, "/api/backup/targets")).map(({ id: left }: { id: string }) => left)).toEqual([disk]);
});

test("opening has an end of its own: the target is away then, and its backups are as they were", async () => {
  server.fallSilent(OPENING);
  const { op_id } = (await post(node, `/api/backups/${id}/verify`)).body;
  await server.untilSilent();
  await node.clock.advance(6 * HOURS_MS);
  expect(await untilOver(node, op_id)).toBe("failed");
  expect(node.ctx.operations.get(op_id).error).toEqual({
    code: "backup_target_away",
    message: "odd did not let itself be opened within 6 hours.",
    next_step: expect.stringContaining("then try again"),
  });
  const [backup] = await get(node, "/api/backups");
  expect([backup.damage, backup.verified_at]).toEqual([null, null]);
  // Whoever reads for longer than that is let be.
  server.fallSilent(OPEN);
  const later = (await post(node, `/api/backups/${id}/verify`)).body;
  await server.untilSilent();
  await node.clock.advance(7 * HOURS_MS);
  expect(node.ctx.operations.get(later.op_id).status).toBe("running");
  await post(node, `/api/backups/${id}/cancel`);
  await untilOver(node, later.op_id);
});

test("damage that was found stays found where the target falls silent before it has a name", async () => {
  for (const [name, bytes] of server.files)
    if (name.startsWith("packs/")) server.files.set(name, Buffer.from(bytes).fill(1, 100, 200));
  server.fallSilent(/^packs\/$/, 1);
  const { op_id } = (await post(node, `/api/backups/${id}/verify`)).body;
  await server.untilSilent();
  expect((await post(node, `/api/backups/${id}/cancel`)).status).toBe(200);
  expect([await untilOver(node, op_id), codeOf(op_id)]).toEqual(["failed", "backup_damaged"]);
  expect((await get(node, "/api/backups"))[0].damage).toMatch(/^A part of packs/);
});

test("reading the names of files in all backups ends at once where somebody stops it", async () => {
  node.ctx.db.raw.query("UPDATE backups SET apps = '[\"app_wiki\"]' WHERE id = ?").run(id);
  server.fallSilent(OPENING);
  const { op_id } = (await post(node, "/api/backup/search/read")).body;
  await server.untilSilent();
  expect((await post(node, "/api/backup/search/stop")).status).toBe(200);
  expect(await untilOver(node, op_id)).toBe("done");
  server.fallSilent(/^nothing/);
  const browse = (await post(node, `/api/backups/${id}/browse`)).body;
  expect(await untilOver(node, browse.op_id)).toBe("done");
});

test("what is too old stays where the removal of it is cancelled, and the backup is made", async () => {
  const plan = { name: "often", cron: "0 * * * *", jitter_minutes: 0, enabled: true };
  const keep = { last: 1, hourly: 0, daily: 0, weekly: 0, monthly: 0 };
  const planned = await post(node, "/api/backup/plans", {
    ...plan,
    target: odd,
    apps: null,
    include_config: true,
    keep,
  });
  expect([planned.status, planned.body.code]).toEqual([200, undefined]);
  server.fallSilent(/^packs\/$/, 1);
  await node.clock.advance(HOURS_MS);
  await node.ctx.jobs.run("backups.begin_due");
  await server.untilSilent();
  const [made] = await get(node, "/api/backups");
  expect([made.status, (await post(node, `/api/backups/${made.id}/cancel`)).status]).toEqual(["completed", 200]);
  expect(await untilOver(node, made.op_id)).toBe("done");
  expect(await remove(odd)).toBe(200);
});

test("a backup that is made waits no more than a minute until its target takes the lease back", async () => {
  const count = () => [...server.files.keys()].filter((name) => OPEN.test(name)).length;
  const before = count();
  server.fallSilent({ test: (name) => name.startsWith("leases/") && count() > before });
  const { op_id } = (await post(node, "/api/backups", { target: odd, apps: [], include_config: true })).body;
  await server.untilSilent();
  expect(node.ctx.operations.get(op_id).status).toBe("running");
  await node.clock.advance(HOURS_MS / 60);
  expect(await untilOver(node, op_id)).toBe("done");
  expect((await get(node, "/api/backups"))[0].status).toBe("completed");
});
